// G16: `kill -9` of any process at any moment loses no gate and no answer, makes no second card, and leaves a log that
// verifies. What people were told is written down beside the store, and compared with it at the end.
import Database from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import type { Called } from "../edges/mcp/stage.ts";
import { chance } from "./chance.ts";
import { type Agent, found, type Json, openPlace, type Place, pause, untilAnswered } from "./parley.ts";

let place: Place;
afterEach(() => place.remove());

type Gate = {
  id: string;
  kind: "approval" | "feedback" | "blocker";
  status: string;
  title: string;
  asked_by: string;
  decided_by?: string;
  note?: string;
  text?: string;
  from_person?: boolean;
  waiting_now?: boolean;
};

const gateOf = ({ structuredContent, text }: Called): Gate => {
  if (!structuredContent?.gate) throw new Error(text);
  return structuredContent.gate as Gate;
};
const words = (gate: Gate) => gate.note ?? gate.text;
const kinds = ["approval", "feedback", "blocker"] as const;

/** One question with its arguments; no two of a test are alike. */
interface Question {
  kind: Gate["kind"];
  tool: string;
  args: Json;
  title: string;
}

function question(kind: Gate["kind"], title: string): Question {
  const tools = { approval: "request_approval", feedback: "wait_for_feedback", blocker: "report_blocker" };
  const args = kind === "feedback" ? { question: title, timeout_seconds: 3600 } : { title };
  return { kind, tool: tools[kind], args: kind === "approval" ? { ...args, action: { run: title } } : args, title };
}

/** The ways in which an agent that was cut off comes by its answer. */
type Way = (agent: Agent, asked: Question) => Promise<Gate>;

const again = async (agent: Agent, tool: string, args: Json): Promise<Gate> => {
  for (;;) {
    const gate = gateOf(await untilAnswered(() => agent.call(tool, args)));
    if (gate.status !== "pending") return gate;
  }
};
const ways: Record<string, Way> = {
  "the same call with the same key": (agent, { tool, args, title }) => again(agent, tool, { ...args, key: title }),
  "the same call without a key": (agent, { tool, args }) => again(agent, tool, args),
  async wait_for_gate(agent, { tool, args }) {
    const { id } = gateOf(await untilAnswered(() => agent.call(tool, { ...args, wait_seconds: 0 })));
    return again(agent, "wait_for_gate", { gate_id: id });
  },
  async "the inbox of any call"(agent, { tool, args }) {
    const { id } = gateOf(await untilAnswered(() => agent.call(tool, { ...args, wait_seconds: 0 })));
    return found(async () => {
      await pause(40);
      const { inbox } = (await untilAnswered(() => agent.call("whoami"))).structuredContent as {
        inbox?: { answered_gates?: Gate[] };
      };
      const told = inbox?.answered_gates?.find((gate) => gate.id === id);
      return told;
    });
  },
};

function decisionFor(gate: Gate, yes: boolean, said: string): Json {
  const decision =
    gate.kind === "approval" ? (yes ? "approve" : "deny") : gate.kind === "feedback" ? "answer" : "resolve";
  return { gate_id: gate.id, decision, [gate.kind === "approval" ? "note" : "text"]: said };
}

const becomes: Record<string, string> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
  resolve: "resolved",
};

it("G16 G6 G5: an agent that was cut off gets its answer by every way, over the session it had", async () => {
  place = await openPlace();
  const names = Object.keys(ways).map((_, n) => `agent-${n}`);
  let [zoe, server] = await Promise.all([place.member("zoe", "--role", "owner"), place.serve()]);
  const tokens = await server.add(zoe, names);
  const { port } = server;
  const pending = async (count: number, waiting: number) =>
    found(async () => {
      const { body } = await server.api(zoe, "list_gates", { status: "pending" });
      const gates = body.gates as Gate[];
      return gates.length === count && gates.filter((gate) => gate.waiting_now).length >= waiting && gates;
    });

  const agents = await Promise.all(tokens.map((token) => server.agent(token)));
  const sessions = agents.map((agent) => agent.session());
  const answers = Object.values(ways).map((way, n) => way(agents[n] as Agent, question("approval", `Deploy ${n}`)));
  // Two of them are blocked in a call without knowing their gate's id.
  await pending(names.length, 2);
  await server.kill();
  server = await place.serve({ port });
  const gates = await pending(names.length, 0);
  for (const gate of gates) {
    const { status } = await server.api(zoe, "decide_gate", decisionFor(gate, true, `for ${gate.title}`));
    expect(status).toBe(200);
  }
  const got = await Promise.all(answers);
  expect(got.map((gate) => [gate.title, gate.status, gate.note, gate.from_person])).toEqual(
    names.map((_, n) => [`Deploy ${n}`, "approved", `for Deploy ${n}`, true]),
  );
  expect(agents.map((agent) => agent.session())).toEqual(sessions);
  expect(new Set(sessions).size).toBe(names.length);
});

it("G16: a stdio process that is killed while it waits leaves its gate, and the next one gets the answer", async () => {
  place = await openPlace();
  const [ada, zoe, server] = await Promise.all([place.member("ada"), place.member("zoe", "--person"), place.serve()]);
  const first = await place.stdio(ada);
  const asked = first.call("request_approval", { title: "Deploy", key: "k" }).catch((error: Error) => error);
  const gate = await found(async () => {
    const { body } = await server.api(zoe, "list_gates", { status: "pending" });
    return (body.gates as Gate[]).find((one) => one.waiting_now);
  });
  process.kill(first.pid as number, "SIGKILL");
  expect(await asked).toBeInstanceOf(Error);
  const { status } = await server.api(zoe, "decide_gate", decisionFor(gate, false, "not today"));
  expect(status).toBe(200);
  const second = await place.stdio(ada);
  const answer = gateOf(await second.call("request_approval", { title: "Deploy", key: "k" }));
  expect(answer).toMatchObject({ id: gate.id, status: "denied", note: "not today", decided_by: "zoe" });
});

it("G16 G2: killed again and again with answers on their way, nothing that was acknowledged is lost", async () => {
  const kills = 16;
  const { seed, whole, pick } = chance("kill.test");
  const note = `seed ${seed}`;
  place = await openPlace();
  // Calls with keys may run side by side; the other ways are for one call after the other.
  const lanes = ["the same call with the same key", ...Object.keys(ways)];
  const names = ["ada", "ada", "bob", "cyd", "dan"];
  let [zoe, server] = await Promise.all([place.member("zoe", "--role", "owner"), place.serve()]);
  const [yan = ""] = await server.add(zoe, ["yan"], { person: true });
  const tokens = await server.add(zoe, [...new Set(names)]);
  const { port } = server;
  const agents = await Promise.all(tokens.map((token) => server.agent(token)));
  const sessions = agents.map((agent) => agent.session());
  const lanesOf = [agents[0], agents[0], ...agents.slice(1)] as Agent[];

  let asking = true;
  const questions: Question[] = [];
  const received = new Map<string, Gate>();
  const agentsDone = Promise.all(
    lanes.map(async (way, lane) => {
      for (let n = 0; asking; n++) {
        const asked = question(pick(kinds), `${names[lane]} ${lane}.${n}`);
        questions.push(asked);
        received.set(asked.title, await (ways[way] as Way)(lanesOf[lane] as Agent, asked));
      }
    }),
  );

  /** What a person was told with 200 OK, by gate. */
  const ledger = new Map<string, { by: string; status: string; said: string }>();
  let lost = 0;
  let decisions = 0;
  let inFlight = 0;
  let onDecision = () => {};
  let deciding = true;
  const peopleDone = Promise.all(
    Object.entries({ zoe, yan }).map(async ([name, token]) => {
      for (let n = 0; deciding; n++) {
        const { body } = await untilAnswered(() => server.api(token, "list_gates", { status: "pending" }));
        const gates = body.gates as Gate[];
        if (gates.length === 0) {
          await pause(5);
          continue;
        }
        const gate = pick(gates);
        const said = `${name} says ${n}`;
        const args = decisionFor(gate, whole(0, 2) > 0, said);
        decisions += 1;
        inFlight += 1;
        // What was not answered is said again, word for word, until it is.
        const { status, body: answer } = await untilAnswered(() => {
          const sent = server.api(token, "decide_gate", args);
          onDecision();
          return sent;
        });
        inFlight -= 1;
        if (status === 200) {
          const told = { by: name, status: becomes[String(args.decision)] as string, said };
          expect(ledger.get(gate.id), `two were told that they decided ${gate.title}, ${note}`).toBeUndefined();
          expect(answer.gate, note).toMatchObject({ id: gate.id, status: told.status, decided_by: name });
          ledger.set(gate.id, told);
        } else {
          expect([status, answer.error.code], note).toEqual([409, "ALREADY_DECIDED"]);
          lost += 1;
        }
        await pause(whole(0, 20));
      }
    }),
  );

  const caught: number[] = [];
  const killAndStart = async (kill: number) => {
    // At any moment of its life, its first included; and every second time just after an answer has left a person's
    // hands. Told by what it has done and not by the clock alone, so that a slow machine tests as much.
    const enough = ledger.size + whole(0, 4);
    await found(() => ledger.size >= enough);
    if (kill % 2 === 0) await pause(whole(0, 60));
    else {
      await new Promise<void>((resolve) => {
        onDecision = resolve;
      });
      onDecision = () => {};
      await pause(whole(0, 6));
    }
    caught.push(inFlight);
    const dead = await server.kill();
    expect(dead.err, note).toBe("");
    const [verified, next] = await Promise.all([place.run(["audit", "verify"]), place.serve({ port })]);
    expect([verified.code, verified.err], note).toEqual([0, ""]);
    expect(verified.out, note).toMatch(/^_server: .* sound, .*\nmain: \d+ facts, sound, .*\n$/);
    server = next;
  };
  // Whoever fails ends the test at once.
  const everybody = Promise.all([agentsDone, peopleDone]);
  const meanwhile = <T>(work: Promise<T>): Promise<T> => Promise.race([work, everybody.then(() => work)]);
  for (let kill = 0; kill < kills; kill++) await meanwhile(killAndStart(kill));
  asking = false;
  await meanwhile(agentsDone);
  deciding = false;
  await everybody;
  expect((await server.kill("SIGTERM")).err, note).toBe("");

  const db = new Database(place.store, { readonly: true });
  const stored = db.prepare<[], Gate & { id: string }>("select * from gates").all();
  const decided = db
    .prepare<[], { subject: string; n: number }>(
      `select subject, count(*) as n from log where room = 'main'
       and action in ('gate.approved', 'gate.denied', 'gate.answered', 'gate.resolved') group by subject`,
    )
    .all();
  db.close();
  // No gate is lost and there is no second card.
  expect(stored.map((gate) => gate.title).sort(), note).toEqual(questions.map(({ title }) => title).sort());
  // Every answer stands as it was acknowledged, and none that nobody was told of.
  const standing = (gate: Gate) => ({ by: gate.decided_by, status: gate.status, said: words(gate) });
  expect(new Map(stored.map((gate) => [gate.id, standing(gate)])), note).toEqual(ledger);
  // One decision in the log for each.
  expect(new Map(decided.map(({ subject, n }) => [subject, n])), note).toEqual(
    new Map(stored.map(({ id }) => [`gate:${id}`, 1])),
  );
  // Every agent has the answer that was given.
  for (const gate of stored) {
    const got = received.get(gate.title);
    expect([got?.id, got?.status, got && words(got), got?.from_person], note).toEqual([
      gate.id,
      gate.status,
      words(gate),
      true,
    ]);
  }
  expect(agents.map((agent) => agent.session())).toEqual(sessions);
  // The test itself: answers were on their way when it was killed, and people got in each other's way.
  expect(caught.filter((answers) => answers > 0).length, note).toBeGreaterThanOrEqual(kills / 2);
  expect(ledger.size, note).toBeGreaterThanOrEqual(kills);
  process.stderr.write(
    `kill.test: ${kills} kills, ${caught.reduce((a, b) => a + b)} answers caught on their way, ` +
      `${questions.length} questions, ${decisions} decisions, ${lost} came second\n`,
  );
}, 300_000);
