// How a server begins and ends, and what the demo leaves alone.
import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import { found, freePort, npm, openPlace, type Place, pause } from "./parley.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.remove());

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** Rows of a query on the store's file, past everything that Parley does. */
function rows<T>(sql: string, ...values: unknown[]): T[] {
  const db = new Database(place.store, { readonly: true });
  try {
    return db.prepare<unknown[], T>(sql).all(...values);
  } finally {
    db.close();
  }
}

it("first start: makes the store for its owner alone, and prints where it really listens", async () => {
  const server = await place.serve({ port: 0 });
  expect(server.port).toBeGreaterThan(0);
  const said = server.said();
  expect(said.out).toContain(`MCP         http://127.0.0.1:${server.port}/mcp`);
  expect(said.out).toContain(place.store);
  // Not into a pipe, where anybody may read it later.
  expect(said.out).not.toContain("#link=");
  expect(await modeOf(dirname(place.store))).toBe("700");
  const files = await readdir(dirname(place.store));
  expect(files).toContain("parley.db");
  for (const file of files) expect([file, await modeOf(`${dirname(place.store)}/${file}`)]).toEqual([file, "600"]);
  const ready = await fetch(`${server.url}readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
  expect((await server.kill("SIGINT")).code).toBe(0);
  expect(said.err).toBe("");
});

it("goes on when whoever read its welcome has gone", async () => {
  const port = await freePort();
  const server = place.begin(["serve"], { PARLEY_PORT: String(port) });
  server.turnAway();
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  expect((await found(ready)).status).toBe(200);
  // The welcome comes after the listening.
  await pause(1000);
  expect((await ready())?.status).toBe(200);
  server.kill("SIGTERM");
  expect((await server.over).code).toBe(0);
});

it("a store that a newer version has shaped is refused, and not touched", async () => {
  expect((await place.run(["audit", "verify"])).code).toBe(0);
  const db = new Database(place.store);
  db.prepare("insert into parley_migrations (name, at) values ('9999_later', 1)").run();
  const before = db.serialize();
  db.close();
  const env = { PARLEY_PORT: "0", PARLEY_TOKEN: "parley_x" };
  for (const ran of await Promise.all([["serve"], ["stdio"], ["link"]].map((words) => place.run(words, env)))) {
    expect(ran.code).toBe(64);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(/^parley: This store was last opened by a newer Parley: it has 9999_later, .*\n$/);
  }
  const after = new Database(place.store, { readonly: true });
  expect(after.serialize().equals(before)).toBe(true);
  after.close();
});

it("a port that is taken is named, with what to do", async () => {
  const server = await place.serve();
  const ran = await place.run(["serve"], { PARLEY_PORT: String(server.port) });
  expect(ran).toEqual({
    code: 69,
    out: "",
    err: `parley: Port ${server.port} is taken, perhaps by another Parley; set PARLEY_PORT to another.\n`,
  });
  expect((await fetch(`${server.url}healthz`)).status).toBe(200);
});

it("a bad setting stops the start and is named", async () => {
  const bad = { PARLEY_PORT: "seventy", PARLEY_PUBLIC_URL: "parley.example" };
  await Promise.all(
    Object.entries(bad).map(async ([name, value]) => {
      const ran = await place.run(["serve"], { [name]: value });
      expect([ran.code, ran.out]).toEqual([78, ""]);
      expect(ran.err).toMatch(new RegExp(`^parley: ${name} is not usable: .+\\.\\n$`));
    }),
  );
});

it("G16: SIGTERM ends it within two seconds, with calls waiting and a dashboard open; nothing is lost", async () => {
  const [ada, bob, zoe] = await Promise.all([
    place.member("ada"),
    place.member("bob"),
    place.member("zoe", "--person"),
  ]);
  const server = await place.serve();
  const agent = await server.agent(ada);
  // One that is held long, with events: its client comes back by itself.
  const holding = await server.agent(bob, "opencode");
  const held = holding.call("report_blocker", { title: "No access", wait_seconds: 200 });
  const asked = agent.call("request_approval", { title: "Deploy", key: "deploy" }).catch((error: Error) => error);
  const waiting = server.api(ada, "wait_for_message", { wait_seconds: 40 }).catch((error: Error) => error);
  await found(async () => {
    const { body } = await server.api(zoe, "list_gates", { status: "pending" });
    const gates = body.gates as Array<{ waiting_now: boolean }>;
    return gates.filter((gate) => gate.waiting_now).length === 2;
  });
  const socket = new WebSocket(`${server.url.replace("http", "ws")}ws`);
  await new Promise((resolve) => socket.once("open", resolve));
  socket.on("error", () => {});
  const began = performance.now();
  const { code, err } = await server.kill("SIGTERM");
  const took = performance.now() - began;
  expect([code, err]).toEqual([0, ""]);
  expect(took).toBeLessThan(2000);
  expect(await asked).toBeInstanceOf(Error);
  expect(await waiting).toBeInstanceOf(Error);

  const again = await place.serve({ port: server.port });
  const { body } = await again.api(zoe, "list_gates", { status: "pending" });
  const gates = body.gates as Array<{ id: string; kind: string; waiting_now: boolean }>;
  expect(gates.map((gate) => gate.waiting_now)).toEqual([false, false]);
  const gate = gates.find(({ kind }) => kind === "approval");
  await again.api(zoe, "decide_gate", { gate_id: gate?.id, decision: "approve" });
  const answer = await agent.call("request_approval", { title: "Deploy", key: "deploy" });
  expect(answer.structuredContent).toMatchObject({ gate: { id: gate?.id, status: "approved" } });
  expect(await held).toMatchObject({ isError: true, text: expect.stringContaining("Call again") });
});

it("npm run seed: a backup first, only the demo rooms are replaced, and again the same", async () => {
  const [token] = await Promise.all([place.member("ada"), place.member("zoe", "--person", "--role", "owner")]);
  const server = await place.serve();
  const agent = await server.agent(token);
  await agent.call("create_task", { title: "Not of the demo" });
  await agent.call("report_blocker", { title: "Not of the demo", wait_seconds: 0 });
  await agent.call("post_message", { text: "Not of the demo" });
  await server.kill("SIGTERM");
  const others = () => ({
    log: rows("select * from log where room = 'main' and action not like 'member.%' order by seq"),
    tasks: rows("select * from tasks where room = 'main'"),
    gates: rows("select * from gates where room = 'main'"),
    messages: rows("select * from messages where room = 'main'"),
    tokens: rows("select id, member, hash, revoked_at from tokens where member in ('ada', 'zoe')"),
    rooms: rows("select name, facts, head from rooms where name not in ('billing', 'mobile', '_server')"),
  });
  const before = others();
  expect(before.gates).toHaveLength(1);
  const demo = () => ({
    tasks: rows("select room, id, title, status from tasks where room <> 'main' order by room, id"),
    gates: rows("select room, title, status from gates where room <> 'main' order by room, title"),
    members: rows("select room, member, role from memberships where room <> 'main' order by room, member"),
    said: rows("select room, id, speaker, text from floor_utterances order by room, id"),
  });
  const told = [];
  for (const n of [1, 2]) {
    const ran = await npm(place, "seed");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const file = /^Backed up to (.+)$/m.exec(ran.out)?.[1] ?? "";
    expect(await modeOf(file)).toBe("600");
    const copy = new Database(file, { readonly: true });
    expect(copy.prepare("select count(*) from rooms where name = 'billing'").pluck().get()).toBe(n - 1);
    expect(copy.prepare("select title from gates where room = 'main'").pluck().all()).toEqual(["Not of the demo"]);
    copy.close();
    expect(others()).toEqual(before);
    told.push(demo());
  }
  expect((await readdir(dirname(place.store))).filter((name) => name.endsWith(".bak"))).toHaveLength(2);
  expect(told[1]).toEqual(told[0]);
  expect(told[0]?.gates.length).toBeGreaterThan(3);
  const verified = await place.run(["audit", "verify"]);
  expect(verified.code).toBe(0);
  expect(verified.out.split("\n").map((line) => line.replace(/:.*, (sound),.*/, " $1"))).toEqual([
    "_server sound",
    "billing sound",
    "main sound",
    "mobile sound",
    "",
  ]);
});
