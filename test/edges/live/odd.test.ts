// Odd messages: whatever comes over a socket, the server goes on and the other dashboards hear what happens.
import { expect, it, onTestFinished } from "vitest";
import { inMemory, inPostgres } from "../../setup/stores.ts";
import { ask, head } from "../../stage.ts";
import { type Device, type Served, serve } from "../stage.ts";
import { type Dashboard, expectWhole, hello, open } from "./stage.ts";

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Rejections that nobody handles end a process: none may come while the test runs. */
function unhandled(): unknown[] {
  const seen: unknown[] = [];
  const note = (why: unknown) => void seen.push(why);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  return seen;
}

/** The same numbers in every run. */
function dice(seed: number) {
  let state = seed;
  const roll = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { roll, of: <T>(list: readonly T[]): T => list[roll(list.length)] as T };
}

const values = [
  ...["null", "true", "0", "-1", "0.5", "1e999", "-0", "9007199254740993", '""', '"\\u0000"', '"\\ud800"'],
  ...[JSON.stringify("x".repeat(5000)), "[]", "{}", '{"__proto__":{"id":1}}', deep(70), deep(5000), '"main"', '"zoe"'],
];
const actions = ["whoami", "get_gate", "list_gates", "decide_gate", "list_facts", "see_gate", "nothing", "__proto__"];
const fields = ["id", "action", "args", "t", "room", "since", "type", "secret", "watch", "gate_id", "constructor"];

it("E1: ten thousand odd messages end no server, and those who watch hear everything", {
  timeout: 60_000,
}, async () => {
  const lost = unhandled();
  const s = await serve(inMemory.make);
  const zoe = await s.signIn("zoe");
  await s.guest("vic", { role: "viewer" });
  const vic = await s.signIn("vic");
  const ada = await s.guest("ada");
  const watching = await hello(s, zoe, { watch: "main" });
  await watching.hears("room");
  const { roll, of } = dice(4747);
  const object = () =>
    `{${Array.from({ length: roll(4) }, () => `${JSON.stringify(of(fields))}:${of(values)}`).join(",")}}`;

  // Well-formed, with odd values: each is answered on the same socket.
  const ids = ["1", "0.5", "-1", '"a"', '""', JSON.stringify("x".repeat(100)), '"__proto__"'];
  for (let batch = 0; batch < 80; batch++) {
    const socket = await hello(s, vic);
    for (let n = 0; n < 100; n++)
      socket.say(
        of([
          `{"type":"do","id":${of(ids)},"action":${JSON.stringify(of(actions))},"args":${of([object(), ...values])}}`,
          `{"type":"ping","t":${of(["1", "0.1", '"x"', "-5"])}}`,
          `{"type":"watch","room":${of(['"main"', '"nowhere"', '""'])},"since":${roll(40)}}`,
        ]),
      );
    socket.say({ type: "ping", t: "last" });
    await socket.hears("pong", ({ t }) => t === "last");
    await socket.close();
  }

  // Malformed: each ends its own socket and nothing else.
  const malformed = () =>
    of([
      `{"type":"do","id":${of(["null", "{}", deep(10_000), deep(3), "true"])},"action":"x"}`,
      `{"type":"ping","t":${of([deep(5000), "{}", "null", JSON.stringify("x".repeat(101))])}}`,
      `{"type":"watch","room":"main","since":${of(["0.5", "-1", "1e999", '"1"', "null", deep(9)])}}`,
      `{"type":"watch","room":${of(["1", "[]", deep(5000)])}}`,
      `{"type":${of(values)},"x":${of(values)}}`,
      of(values),
      of(["", "{", "\u0000", "hello", '{"type":"hello"}']),
    ]);
  const ends = async (socket: Dashboard, code: number) => {
    const message = malformed();
    socket.say(message);
    expect(await socket.closed, message.slice(0, 80)).toBe(code);
  };
  for (let n = 0; n < 400; n += 10)
    await Promise.all(Array.from({ length: 10 }, async () => ends(await hello(s, vic, { watch: "none" }), 4400)));
  for (let n = 0; n < 1600; n += 20)
    await Promise.all(Array.from({ length: 20 }, async () => ends(await open(s, { cookie: vic.cookie }), 4401)));

  await ask(ada, "request_approval", { title: "Still here" });
  expect(await watching.hearsFact("gate.asked")).toMatchObject({ title: "Still here" });
  expect(lost).toEqual([]);
});

it("E1: a hello with an odd field is no hello", async () => {
  const s = await serve(inMemory.make);
  const zoe = await s.signIn("zoe");
  for (const more of [{ since: { main: 0.5 } }, { since: { main: -1 } }, { since: [1] }, { watch: 7 }, { more: 1 }]) {
    const socket = await open(s, { cookie: zoe.cookie });
    socket.say({ type: "hello", secret: zoe.secret, ...more });
    expect(await socket.closed, JSON.stringify(more)).toBe(4401);
  }
});

it("E1: on PostgreSQL a fraction as a number of a fact stops nobody's feed", async () => {
  const s = await serve(inPostgres.make);
  const zoe = await s.signIn("zoe");
  const watching = await hello(s, zoe, { watch: "main" });
  await watching.hears("room");
  const start = await head(s);
  const first = await open(s, { cookie: zoe.cookie });
  first.say({ type: "hello", secret: zoe.secret, watch: "main", since: { main: 0.5 } });
  expect(await first.closed).toBe(4401);
  const second = await hello(s, zoe);
  second.say({ type: "watch", room: "main", since: 0.5 });
  expect(await second.closed).toBe(4400);
  await ask(await s.guest("ada"), "request_approval", { title: "Deploy" });
  await watching.hearsFact("gate.asked");
  expectWhole(watching.facts(), start, await head(s));
});

async function flood(s: Served, device: Device, message: object, many: number): Promise<Dashboard> {
  const socket = await hello(s, device);
  for (let n = 0; n < many; n++) socket.say(message);
  return socket;
}

it("E5: more messages than a socket may have under way end it, and nobody else waits for them", async () => {
  const s = await serve(inMemory.make);
  const zoe = await s.signIn("zoe");
  const ada = await s.guest("ada");
  const socket = await flood(s, zoe, { type: "watch", room: "main" }, 20_000);
  expect((await s.api(ada.token, "whoami")).status).toBe(200);
  expect(await socket.closed).toBe(4429);
  expect(socket.heard.filter(({ type }) => type === "room").length).toBeLessThan(5);
  const waits = await flood(s, zoe, { type: "do", id: 1, action: "wait_for_message", args: {} }, 201);
  expect(await waits.closed).toBe(4429);
});

it("E5: of several rooms asked for at once the last is shown", async () => {
  const s = await serve(inMemory.make);
  const zoe = await s.signIn("zoe");
  await s.operator.does("create_room", { room: "lab", title: "Lab" });
  const socket = await flood(s, zoe, { type: "watch", room: "main" }, 50);
  socket.say({ type: "watch", room: "lab" });
  await socket.hears("room", ({ room }) => room === "lab");
  expect(socket.heard.filter(({ type }) => type === "room").length).toBeLessThan(5);
  await socket.close();
});
