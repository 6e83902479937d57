import { describe, expect, it } from "vitest";
import { version } from "../../../src/package.ts";
import { eachStore, inMemory } from "../../setup/stores.ts";
import { ask, found, head } from "../../stage.ts";
import { type Served, serve } from "../stage.ts";
import { expectWhole, hello, type Message, open, type Seen } from "./stage.ts";

const tells = (s: Served, n: number, room = "main") =>
  s.table.write(s.operator.caller, room, async (call) => {
    call.fact({ action: "test.told", subject: `test:${n}` });
  });
const reaches = (facts: () => Seen[], seq: number) =>
  found(() => ((facts().at(-1)?.seq ?? 0) >= seq ? true : undefined));

eachStore(({ make }) => {
  it("D4: who resumes at a number while others write gets every fact after it once, in order", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    for (let n = 0; n < 30; n++) await tells(s, n);
    const start = await head(s);
    const one = await hello(s, zoe, { watch: "main", since: { main: start } });
    const writes = (async () => {
      for (let n = 0; n < 60; n++) await tells(s, n);
    })();
    // Each comes while the feed of the others is at work, and is further behind.
    const behind = [];
    for (let n = 1; n <= 12; n++) {
      const since = start - 2 * n;
      behind.push({ since, socket: await hello(s, zoe, { watch: "main", since: { main: since } }) });
    }
    await writes;
    const last = await head(s);
    for (const { since, socket } of [...behind, { since: start, socket: one }]) {
      await reaches(socket.facts, last);
      expectWhole(socket.facts(), since, last);
      expect(socket.heard.filter(({ type }) => type === "room")).toEqual([]);
      await socket.close();
    }
  });
});

describe("hello", () => {
  const { make } = inMemory;

  it("D7: with a wrong secret, or without the cookie, ends the socket", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    const other = await s.signIn("zoe");
    const tries: Array<[Record<string, string>, unknown]> = [
      [{}, { type: "hello", secret: zoe.secret }],
      [{ cookie: zoe.cookie }, { type: "hello", secret: "wrong" }],
      [{ cookie: zoe.cookie }, { type: "hello", secret: other.secret }],
      [{ cookie: zoe.cookie }, { type: "hello" }],
      [{ cookie: zoe.cookie }, { type: "ping", t: 1 }],
      [{ cookie: zoe.cookie }, { type: "do", id: 1, action: "stop_all", args: {} }],
      [{ cookie: zoe.cookie }, "no JSON"],
      [{ cookie: zoe.cookie }, []],
      [{ cookie: zoe.cookie, "x-parley-secret": zoe.secret }, null],
    ];
    for (const [headers, message] of tries) {
      const socket = await open(s, headers);
      socket.say(message);
      expect(await socket.hears("ended"), JSON.stringify(message)).toEqual({ type: "ended", reason: "sign in first" });
      expect(await socket.closed).toBe(4401);
      expect(socket.heard).toHaveLength(1);
    }
  });

  it("D4: that does not come within ten seconds ends the socket", async () => {
    const s = await serve(make);
    const socket = await open(s);
    await s.clock.tick(10_000);
    expect(await socket.hears("ended")).toMatchObject({ reason: "no hello came" });
    expect(await socket.closed).toBe(4400);
  });

  it("D12: is answered with welcome, then with all of the room in one snapshot", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    const ada = await s.guest("ada");
    const lea = await s.guest("lea", { role: "lead" });
    await lea.does("create_task", { title: "Fix" });
    await lea.does("open_floor", { seats: ["ada", "lea"] });
    const gate = await ask(ada, "request_approval", { title: "Deploy" });
    await ask(ada, "report_blocker", { title: "No key" });
    const socket = await hello(s, zoe);
    expect(socket.heard[0]).toEqual({
      type: "welcome",
      now: s.clock.now(),
      server: { name: "Test table", version },
      me: { member: "zoe", server_role: "owner", session: expect.any(String), device: "a browser" },
      rooms: [
        {
          room: "main",
          title: expect.any(String),
          role: "approver",
          approvals: 1,
          blockers: 1,
          agents: 3,
          stopped: false,
        },
      ],
    });
    const { seq, snapshot } = (await socket.hears("room")) as unknown as {
      seq: number;
      snapshot: Record<string, Record<string, unknown>[]>;
    };
    expect(seq).toBe(await head(s));
    expect(snapshot.members?.map(({ name }) => name)).toEqual(["ada", "lea", "zoe"]);
    expect(snapshot.members?.[0]).toMatchObject({ state: "waiting", now: { gate: { title: expect.any(String) } } });
    expect(snapshot.gates).toHaveLength(2);
    expect(snapshot.gates?.find(({ id }) => id === gate.id)).toMatchObject({ title: "Deploy", status: "pending" });
    expect(snapshot.tasks).toMatchObject([{ title: "Fix", status: "open" }]);
    expect(snapshot.task_counts).toMatchObject({ open: 1 });
    expect(snapshot.floors).toMatchObject([{ channel: "main" }]);
    expectWhole(snapshot.facts as unknown as Seen[], 0, seq);
    expect(snapshot.facts?.at(-1)).toMatchObject({
      action: "gate.asked",
      member: "ada",
      kind: "agent",
      title: "No key",
    });
    await socket.close();
  });

  it("D4: with a number that is too old, or newer than the log, gets the room anew", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    for (let n = 0; n < 510; n++) await tells(s, n);
    const last = await head(s);
    for (const since of [0, last - 501, last + 1]) {
      const socket = await hello(s, zoe, { since: { main: since } });
      expect(await socket.hears("room"), `${since}`).toMatchObject({ room: "main", seq: last });
      expect((((await socket.hears("room")).snapshot as Message).facts as Seen[]).length).toBe(200);
      await socket.close();
    }
    const socket = await hello(s, zoe, { since: { main: last - 450 } });
    await reaches(socket.facts, last);
    expectWhole(socket.facts(), last - 450, last);
    // 200 facts a message at most.
    expect(socket.heard.filter(({ type }) => type === "facts").length).toBeGreaterThan(2);
    await socket.close();
  });
});

describe("a dashboard", () => {
  const { make } = inMemory;

  it("D2: hears each fact with the records that it changed, and sees the answer of another device", async () => {
    const s = await serve(make);
    const phone = await hello(s, await s.signIn("zoe", "Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile"));
    const laptop = await hello(s, await s.signIn("zoe"));
    for (const socket of [phone, laptop]) await socket.hears("room");
    const ada = await s.guest("ada");
    const waits = ada.does("request_approval", { title: "Deploy" });
    for (const socket of [phone, laptop]) await socket.hearsFact("gate.asked");
    const asked = await phone.hears("facts", ({ gates }) => gates !== undefined);
    const [gate] = asked.gates as [{ id: string }];
    expect(gate).toMatchObject({ title: "Deploy", status: "pending", asked_by: "ada" });
    expect(asked).toMatchObject({ room: "main", now: s.clock.now(), seq: await head(s) });
    const decide = { gate_id: gate.id, decision: "approve", note: "go" };
    expect(await phone.does("decide_gate", decide)).toMatchObject({
      type: "done",
      result: { gate: { status: "approved", device: "Chrome on Android" } },
    });
    const told = await laptop.hearsFact("gate.approved");
    expect(told).toMatchObject({
      subject: `gate:${gate.id}`,
      member: "zoe",
      text: "go",
      title: "Deploy",
      from_person: true,
    });
    const late = await laptop.does("decide_gate", { ...decide, decision: "deny" });
    expect(late).toMatchObject({
      type: "refused",
      error: { code: "ALREADY_DECIDED", decided_by: "zoe", device: "Chrome on Android", gate_status: "approved" },
    });
    await waits;
    for (const socket of [phone, laptop]) await socket.close();
  });

  it("D1: performs any action as its person, refusals told by their code", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    await s.guest("vic", { role: "viewer" });
    const gate = await ask(await s.guest("ada"), "request_approval", { title: "T" });
    const vic = await hello(s, await s.signIn("vic"));
    expect(await vic.does("whoami")).toMatchObject({ type: "done", result: { member: "vic" } });
    expect(await vic.does("see_gate", { gate_id: gate.id })).toMatchObject({ type: "done" });
    for (const [action, args, code] of [
      ["decide_gate", { gate_id: gate.id, decision: "approve" }, "FORBIDDEN"],
      ["get_gate", { gate_id: "none" }, "NOT_FOUND"],
      ["get_gate", {}, "BAD_INPUT"],
      ["get_gate", "text", "BAD_INPUT"],
      ["get_gate", [], "BAD_INPUT"],
      ["no_such_action", {}, "NOT_FOUND"],
      ["__proto__", {}, "NOT_FOUND"],
    ] as const)
      expect(await vic.does(action, args), `${action} ${JSON.stringify(args)}`).toMatchObject({
        type: "refused",
        error: { code, message: expect.any(String) },
      });
    vic.say({ type: "do", id: 7, action: "whoami" });
    expect(await vic.hears("done", ({ id }) => id === 7)).toMatchObject({ result: { member: "vic" } });
    await vic.close();
  });

  it("D4: is answered a ping at once, also while an action waits", async () => {
    const s = await serve(make);
    const zoe = await hello(s, await s.signIn("zoe"));
    const gate = await ask(await s.guest("ada"), "request_approval", { title: "T" });
    zoe.say({ type: "do", id: "w", action: "wait_for_gate", args: { gate_id: gate.id } });
    zoe.say({ type: "ping", t: 12.5 });
    expect(await zoe.hears("pong")).toEqual({ type: "pong", t: 12.5, now: s.clock.now() });
    expect(zoe.heard.some(({ id }) => id === "w")).toBe(false);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
    expect(await zoe.hears("done", ({ id }) => id === "w")).toMatchObject({ result: { gate: { status: "denied" } } });
    await zoe.close();
  });

  it("D4: that says what nobody understands, or too much, is ended", async () => {
    const s = await serve(make);
    const device = await s.signIn("zoe");
    for (const message of [{ type: "dance" }, { type: "watch" }, { type: "do", id: 1 }, [], "x", { type: "hello" }]) {
      const socket = await hello(s, device);
      socket.say(message);
      expect(await socket.closed, JSON.stringify(message)).toBe(4400);
    }
    const socket = await hello(s, device);
    socket.say({ type: "ping", t: "x".repeat(2 << 20) });
    expect(await socket.closed).toBe(1009);
  });

  it("M3: hears badges of rooms that it does not watch, and of new ones; changes rooms; never a foreign one", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    for (const room of ["lab", "secret"]) await s.operator.does("create_room", { room });
    await s.guest("vic", { role: "viewer" });
    await s.operator.does("add_member", { name: "vic", person: true, role: "viewer", room: "lab" });
    const vic = await hello(s, await s.signIn("vic"), { watch: "main" });
    await vic.hears("room");
    const rooms = (message: Message) => (message.rooms as Array<Record<string, unknown>>).map(({ room }) => room);
    expect(rooms(vic.heard[0] as Message)).toEqual(["lab", "main"]);
    const bob = await s.guest("bob", { room: "lab" });
    const eve = await s.guest("eve", { room: "secret" });
    await ask(eve, "request_approval", { title: "Hush" });
    await ask(bob, "report_blocker", { title: "No disk" });
    const badge = await vic.hears("rooms", (message) =>
      (message.rooms as Array<Record<string, unknown>>).some(({ room, blockers }) => room === "lab" && blockers === 1),
    );
    expect(rooms(badge)).toEqual(["lab", "main"]);
    // Brought into a room that is made only now.
    await s.operator.does("create_room", { room: "ops" });
    await s.operator.does("add_member", { name: "vic", person: true, role: "viewer", room: "ops" });
    await s.clock.tick(10_000);
    await vic.hears("rooms", (message) => rooms(message).includes("ops"));
    const ann = await s.guest("ann", { room: "ops" });
    await ask(ann, "request_approval", { title: "T" });
    await vic.hears("rooms", (message) =>
      (message.rooms as Array<Record<string, unknown>>).some(
        ({ room, approvals }) => room === "ops" && approvals === 1,
      ),
    );
    vic.say({ type: "watch", room: "lab" });
    expect(await vic.hears("room", ({ room }) => room === "lab")).toMatchObject({ seq: await head(s, "lab") });
    vic.say({ type: "watch", room: "secret" });
    vic.say({ type: "watch", room: "nowhere" });
    vic.say({ type: "watch", room: "_server" });
    vic.say({ type: "ping", t: 1 });
    await vic.hears("pong");
    await tells(s, 1, "secret");
    await tells(s, 2, "main");
    await tells(s, 3, "lab");
    await vic.hearsFact("test.told", ({ subject }) => subject === "test:3");
    expect(JSON.stringify(vic.heard)).not.toMatch(/secret|Hush|test:1"|test:2"/);
    await vic.close();
  });

  it("C1: never hears direct messages of others; their ends do", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    await s.guest("vic", { role: "viewer" });
    const ada = await s.guest("ada");
    const vic = await hello(s, await s.signIn("vic"));
    const zoe = await hello(s, await s.signIn("zoe"));
    for (const socket of [vic, zoe]) await socket.hears("room");
    await ada.does("post_message", { text: "for zoe alone: aardvark", to: "zoe" });
    await zoe.does("post_message", { text: "for ada alone: armadillo", to: "ada" });
    await ada.does("post_message", { text: "for all: anteater" });
    await tells(s, 1);
    for (const socket of [vic, zoe]) await socket.hearsFact("test.told");
    const said = zoe.facts().flatMap(({ text }) => text ?? []);
    expect(said).toEqual(["for zoe alone: aardvark", "for ada alone: armadillo", "for all: anteater"]);
    expect(JSON.stringify(vic.heard)).toContain("anteater");
    expect(JSON.stringify(vic.heard)).not.toMatch(/aardvark|armadillo/);
    // Nor afterwards: in the snapshot, when resuming, in older facts, in a search.
    const again = await hello(s, await s.signIn("vic"));
    await again.hears("room");
    const resumed = await hello(s, await s.signIn("vic"), { since: { main: 0 } });
    await resumed.hearsFact("test.told");
    for (const args of [{}, { text: "alone" }, { kinds: ["message"] }]) await again.does("list_facts", args);
    expect(JSON.stringify([again.heard, resumed.heard])).not.toMatch(/aardvark|armadillo/);
    for (const socket of [vic, zoe, again, resumed]) await socket.close();
  });

  it("G3: sees a gate expire though nobody calls: while somebody watches, what is due is settled", async () => {
    const s = await serve(make);
    const zoe = await hello(s, await s.signIn("zoe"));
    await zoe.hears("room");
    const gate = await ask(await s.guest("ada"), "wait_for_feedback", { question: "Which?", timeout_seconds: 30 });
    await zoe.hearsFact("gate.asked");
    await found(() => (s.table.ring.size() >= 4 ? true : undefined));
    const expired = zoe.hearsFact("gate.expired");
    await found(async () => {
      await s.clock.tick(30_000);
      return zoe.facts().some(({ action }) => action === "gate.expired") ? true : undefined;
    });
    expect(await expired).toMatchObject({ subject: `gate:${gate.id}`, member: null });
    await zoe.close();
  });

  it("M4: hears of presence within ten seconds, without a fact", async () => {
    const s = await serve(make);
    const zoe = await hello(s, await s.signIn("zoe"));
    await zoe.hears("room");
    const ada = await s.guest("ada");
    await zoe.hearsFact("member.joined");
    const before = await head(s);
    await ada.does("set_presence", { status: "done", note: "all tests pass" });
    const state = ({ members }: Message) =>
      (members as Array<Record<string, unknown>>).find(({ name }) => name === "ada")?.state;
    await found(async () => {
      await s.clock.tick(10_000);
      return zoe.heard.some((message) => message.type === "members" && state(message) === "done") ? true : undefined;
    });
    expect(await head(s)).toBe(before);
    await zoe.close();
  });

  it("G4: hears at once of what the command line makes for people", async () => {
    const s = await serve(make);
    const device = await s.signIn("zoe");
    await s.clock.tick(1);
    const zoe = await hello(s, device);
    await zoe.hears("room");
    await s.operator.does("make_link", { person: "zoe" });
    const texts = ({ notices }: Message) => (notices as Array<{ text: string }>).map(({ text }) => text);
    const told = await zoe.hears("notices", (message) =>
      texts(message).includes("A sign-in link for zoe was made on the command line."),
    );
    const last = (told.notices as Array<{ seq: number }>).at(-1);
    await zoe.does("acknowledge_notices", { seq: last?.seq });
    await zoe.hears("notices", (message) => (message.notices as unknown[]).length === 0);
    await zoe.close();
  });
});

describe("a session", () => {
  const { make } = inMemory;

  it("G18: that is revoked, signed out, or whose person is removed ends its sockets at once", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    await s.guest("vic", { role: "viewer" });
    const ends: Array<[string, (vic: { headers: Record<string, string> }) => Promise<unknown>]> = [
      ["signed out", (vic) => s.http("/session", { method: "DELETE", headers: vic.headers })],
      ["signed out everywhere", (vic) => s.http("/session?all", { method: "DELETE", headers: vic.headers })],
      [
        "revoked",
        async (vic) => {
          const act = (action: string, args: unknown) =>
            s.http(`/api/${action}`, { method: "POST", headers: vic.headers, body: args });
          const { devices } = (await act("list_devices", {})).json() as {
            devices: Array<{ id: string; current: boolean }>;
          };
          return act("revoke_device", { id: devices.find(({ current }) => current)?.id });
        },
      ],
      ["removed", () => s.operator.does("remove_member", { member: "vic" })],
    ];
    const stays = await hello(s, zoe);
    for (const [n, [why, end]] of ends.entries()) {
      const device = await s.signIn("vic");
      const socket = await hello(s, device);
      await socket.hears("room");
      await end(device);
      expect(await socket.hears("ended"), why).toEqual({ type: "ended", reason: "signed out" });
      expect(await socket.closed).toBe(4401);
      await tells(s, n);
      expect(JSON.stringify(socket.heard), why).not.toContain(`test:${n}`);
      await expect(hello(s, device)).rejects.toThrow("closed before welcome");
    }
    expect(await stays.does("whoami")).toMatchObject({ type: "done" });
    await stays.close();
  });

  it("G18: that was revoked while the socket was opened is found out", async () => {
    const s = await serve(make);
    const device = await s.signIn("zoe");
    const sockets = await Promise.all(Array.from({ length: 5 }, () => open(s, { cookie: device.cookie })));
    for (const socket of sockets) socket.say({ type: "hello", secret: device.secret });
    await s.http("/session", { method: "DELETE", headers: device.headers });
    for (const socket of sockets) expect(await socket.closed).toBe(4401);
  });

  it("G18: of a person who is kicked from a room, or leaves it, hears nothing more of that room", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    await s.operator.does("create_room", { room: "lab" });
    for (const [name, ends] of [
      ["vic", () => s.operator.does("kick", { member: "vic" })],
      ["pat", async () => (await person("pat")).does("leave_room", { room: "main" })],
    ] as const) {
      const guest = await s.guest(name, { role: "viewer" });
      await s.operator.does("add_member", { name, person: true, role: "viewer", room: "lab" });
      people.set(name, guest);
      const socket = await hello(s, await s.signIn(name), { watch: "main" });
      await socket.hears("room");
      await ends();
      await socket.hears("rooms", (message) => (message.rooms as unknown[]).length === 1);
      const before = socket.facts().length;
      await tells(s, 1);
      socket.say({ type: "watch", room: "main" });
      expect(await socket.does("list_members", { room: "main" })).toMatchObject({
        type: "refused",
        error: { code: "FORBIDDEN" },
      });
      expect(
        socket
          .facts()
          .slice(before)
          .map(({ action }) => action),
      ).not.toContain("test.told");
      await socket.close();
    }
  });

  it("G18: of a person whose role is changed acts with the new role", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    await s.guest("pat", { role: "approver" });
    const gate = await ask(await s.guest("ada"), "request_approval", { title: "T" });
    const pat = await hello(s, await s.signIn("pat"));
    await s.operator.does("set_role", { member: "pat", role: "viewer" });
    await pat.hears("rooms", (message) => (message.rooms as Array<{ role: string }>)[0]?.role === "viewer");
    expect(await pat.does("decide_gate", { gate_id: gate.id, decision: "approve" })).toMatchObject({
      type: "refused",
      error: { code: "FORBIDDEN" },
    });
    await pat.close();
  });

  const people = new Map<string, Awaited<ReturnType<Served["guest"]>>>();
  const person = async (name: string) => people.get(name) as Awaited<ReturnType<Served["guest"]>>;
});
