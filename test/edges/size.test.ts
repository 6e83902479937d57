import { connect } from "node:net";
import { expect, it } from "vitest";
import { frameBytes } from "../../src/edges/live/pieces.ts";
import { pageBytes } from "../../src/size.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, head } from "../stage.ts";
import type { Guest } from "../table.ts";
import { hello, type Message } from "./live/stage.ts";
import { type Served, serve } from "./stage.ts";

const { make } = inMemory;
type Card = Record<string, unknown> & { id: string; status: string };
const big = { data: "a".repeat(500 * 1024) };
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const cardsOf = (message: Message) => (message.snapshot as { gates: Card[] }).gates;
const list = async (s: Served, token: string, action: string, args: object = {}) => {
  const answer = await s.api(token, action, args);
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  return { size: answer.text.length, ...answer.json() } as Record<string, unknown> & { size: number };
};
/** All pages of a list, each within its bound. */
async function paged(
  s: Served,
  token: string,
  action: string,
  field: string,
  args: object,
  go: (at: unknown) => object,
) {
  const all: Record<string, unknown>[] = [];
  let pages = 0;
  for (let more = {}; ; ) {
    const page = await list(s, token, action, { ...args, ...more });
    expect(page.size, `${action}, page ${pages}`).toBeLessThan(pageBytes + 32 * 1024);
    const records = page[field] as Record<string, unknown>[];
    all.push(...records);
    pages += 1;
    const next = page.next ?? page.next_cursor;
    if (next === undefined || next === null || records.length === 0) return { all, pages };
    more = go(next);
  }
}

it("E7: a room full of large actions is sent in small frames, waiting cards first, and bounded in all", {
  timeout: 30_000,
}, async () => {
  const s = await serve(make);
  const zoe = await s.signIn("zoe");
  const ada = await s.guest("ada");
  for (let n = 0; n < 30; n++) {
    const gate = await ask(ada, "request_approval", {
      title: `Gone ${n}`,
      action: { ...big, n },
      details: "d".repeat(9000),
    });
    await ada.does("withdraw_gate", { gate_id: gate.id });
  }
  for (let n = 0; n < 20; n++)
    await ask(ada, "request_approval", {
      title: `Waits ${n}`,
      action: n === 0 ? { n } : { ...big, n },
      timeout_seconds: 600 + n,
    });
  const socket = await hello(s, zoe);
  const room = await socket.hears("room");
  const frames = socket.frames.map((frame) => Buffer.byteLength(frame));
  expect(Math.max(...frames)).toBeLessThanOrEqual(frameBytes);
  expect(frames.reduce((sum, size) => sum + size, 0)).toBeLessThan(256 * 1024);
  const order = socket.parts.filter(({ type }) => type === "room" || type === "part");
  expect(order[0]).toMatchObject({ type: "room", more: true, snapshot: { tasks: [], facts: [] } });
  expect(
    cardsOf(order[0] as Message)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(Array.from({ length: 20 }, (_, n) => `Waits ${n}`).sort());
  expect(order.at(-1)).toMatchObject({ last: true, left: { gates: 0, tasks: 0 } });
  expect(((order.at(-1)?.facts ?? []) as unknown[]).length).toBeGreaterThan(20);
  expect(order.slice(0, -1).every(({ facts }) => facts === undefined)).toBe(true);

  for (const card of cardsOf(room)) {
    const small = card.title === "Waits 0";
    if (small) expect(card).toMatchObject({ action: { n: 0 } });
    else expect(card, String(card.title)).not.toHaveProperty("action");
    if (card.status === "withdrawn") expect(card).toMatchObject({ left_out: ["details", "action"] });
    expect(card.digest).toEqual(expect.any(String));
  }
  const [one] = cardsOf(room).filter(({ title }) => title === "Waits 5");
  const whole = await socket.does("get_gate", { gate_id: one?.id });
  expect(whole).toMatchObject({ result: { gate: { action: { ...big, n: 5 } } } });
  expect((whole.result as { gate: Card }).gate).not.toHaveProperty("left_out");
  expect(Math.max(...socket.frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThanOrEqual(frameBytes);

  // What changes afterwards comes as small as that.
  const before = socket.frames.length;
  await socket.does("decide_gate", { gate_id: one?.id, decision: "deny" });
  const told = await socket.hears("facts", ({ gates }) => (gates as Card[])?.some(({ id }) => id === one?.id));
  expect((told.gates as Card[])[0]).toMatchObject({ status: "denied", left_out: ["action"] });
  expect(sizeOf(told)).toBeLessThan(16_000);
  expect(socket.frames.length).toBeGreaterThan(before);
  await socket.close();
});

it("E7: cards that do not fit are counted, the most urgent are there, and the list has all of them", async () => {
  const s = await serve(make);
  const zoe = await s.signIn("zoe");
  const agents = await Promise.all(Array.from({ length: 13 }, (_, n) => s.guest(`agent-${n}`)));
  const [ada] = agents as [Guest, ...Guest[]];
  for (let n = 0; n < 250; n++)
    await ask(agents[n % 13] as Guest, "request_approval", {
      title: `${n} ${"t".repeat(150)}`,
      action: { n },
      timeout_seconds: 9000 - n,
    });
  const socket = await hello(s, zoe);
  const room = await socket.hears("room");
  expect(socket.frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0)).toBeLessThan(256 * 1024);
  const shown = cardsOf(room);
  const { left } = socket.parts.find(({ last }) => last) as unknown as { left: { gates: number } };
  expect(left.gates).toBeGreaterThan(0);
  expect(shown.length + left.gates).toBe(250);
  expect(shown.map(({ title }) => Number.parseInt(String(title), 10))).toEqual(shown.map((_, n) => 249 - n));
  const { all } = await paged(s, ada.token, "list_gates", "gates", { status: "pending" }, (cursor) => ({ cursor }));
  expect(new Set(all.map(({ id }) => id)).size).toBe(250);
  await socket.close();
});

it("E7: long speech bounds the history, and what is older joins without a gap", async () => {
  const s = await serve(make);
  const zoe = await s.signIn("zoe");
  const ada = await s.guest("ada");
  for (let n = 0; n < 60; n++) await ada.does("post_message", { text: `${n} ${"ü".repeat(3900)}` });
  const socket = await hello(s, zoe);
  const { snapshot, seq } = (await socket.hears("room")) as unknown as {
    seq: number;
    snapshot: { facts: { seq: number }[] };
  };
  const seqs = snapshot.facts.map((fact) => fact.seq);
  expect(seqs.at(-1)).toBe(seq);
  expect(seqs.length).toBeLessThan(40);
  const seen = [...seqs];
  while ((seen[0] ?? 1) > 1) {
    const { result } = (await socket.does("list_facts", { room: "main", before: seen[0] })) as unknown as {
      result: { facts: { seq: number }[] };
    };
    expect(sizeOf(result)).toBeLessThan(pageBytes + 1024);
    seen.unshift(...result.facts.map((fact) => fact.seq).reverse());
  }
  expect(seen).toEqual(Array.from({ length: await head(s) }, (_, n) => n + 1));
  await socket.close();
});

it("E8: each list goes on where its page was full, and nothing is lost or given twice", {
  timeout: 30_000,
}, async () => {
  const s = await serve(make);
  await s.signIn("zoe");
  const ada = await s.guest("ada");
  const lea = await s.guest("lea", { role: "lead" });
  for (let n = 0; n < 30; n++)
    await ask(n < 15 ? ada : lea, "request_approval", { title: `G ${n}`, action: { ...big, n } });
  for (let n = 0; n < 100; n++) await lea.does("post_message", { text: `${n} ${"ü".repeat(3900)}` });
  for (let n = 0; n < 40; n++) await lea.does("create_task", { title: `T ${n}`, description: "ü".repeat(7900) });
  await lea.does("open_floor", { seats: ["lea", "ada"] });
  for (let n = 0; n < 5; n++) await lea.does("say", { text: `${n} ${"ü".repeat(3000)}` }).catch(() => {});

  const ids = (records: Record<string, unknown>[]) => new Set(records.map(({ id, seq }) => id ?? seq)).size;
  const gates = await paged(s, ada.token, "list_gates", "gates", { limit: 100 }, (cursor) => ({ cursor }));
  expect([gates.all.length, ids(gates.all)]).toEqual([30, 30]);
  expect(gates.all[0]).toMatchObject({ left_out: ["action"] });
  const messages = await paged(s, ada.token, "read_messages", "messages", { limit: 100 }, (after) => ({ after }));
  expect([messages.all.length, ids(messages.all), messages.pages > 2]).toEqual([100, 100, true]);
  const tasks = await paged(s, ada.token, "list_tasks", "tasks", { limit: 100 }, (cursor) => ({ cursor }));
  expect([tasks.all.length, ids(tasks.all), tasks.pages > 1]).toEqual([40, 40, true]);
  const mine = await paged(s, ada.token, "list_tasks", "tasks", { claimable_by_me: true }, (cursor) => ({ cursor }));
  expect([mine.all.length, ids(mine.all)]).toEqual([40, 40]);
  const log = await paged(s, lea.token, "get_audit_log", "entries", { limit: 100 }, (after) => ({ after }));
  expect(log.all.map(({ seq }) => seq)).toEqual(log.all.map((_, n) => n + 1));
  const said = await list(s, ada.token, "conversation", { limit: 500 });
  expect((said.utterances as unknown[]).length).toBeGreaterThan(0);
  expect((await list(s, ada.token, "whoami")).size).toBeLessThan(pageBytes);
});

it("E8: unread messages stay unread where a page was full before them", async () => {
  const s = await serve(make);
  const ada = await s.guest("ada");
  const lea = await s.guest("lea");
  for (let n = 0; n < 60; n++) await lea.does("post_message", { to: "ada", text: `${n} ${"ü".repeat(3900)}` });
  const first = (await list(s, ada.token, "wait_for_message")).messages as unknown[];
  const second = (await list(s, ada.token, "wait_for_message")).messages as unknown[];
  expect(first.length).toBeLessThan(50);
  expect(second.length).toBeGreaterThan(0);
  expect((await list(s, ada.token, "read_messages", { unread: true })).messages).toHaveLength(
    Math.max(0, 60 - first.length - second.length),
  );
});

it("E8: the inbox holds no large action, and says what is left out", async () => {
  const s = await serve(make);
  const ada = await s.guest("ada");
  const zoe = await s.guest("zoe", { role: "approver" });
  const gate = await ask(ada, "request_approval", { title: "T", action: { n: 1 } });
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action: big });
  const told = await list(s, ada.token, "list_members");
  expect(told.inbox).toMatchObject({ answered_gates: [{ id: gate.id, edited: true, left_out: ["action"] }] });
  expect((await list(s, ada.token, "get_gate", { gate_id: gate.id })).gate).toMatchObject({ action: big });
});

it("E9: whoever reads nothing of what it asked for is cut off, and a call that is held is not", {
  timeout: 20_000,
}, async () => {
  const s = await serve(make, {}, { unread: 300 });
  const ada = await s.guest("ada");
  const gate = await ask(ada, "request_approval", { title: "T", action: big });
  const body = JSON.stringify({ gate_id: gate.id });
  const request = `POST /api/get_gate HTTP/1.1\r\nHost: 127.0.0.1:${s.port}\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const before = process.memoryUsage().rss;
  const whole = 30 * big.data.length;
  const read = (): Promise<number> =>
    new Promise((resolve) => {
      let size = 0;
      const socket = connect(s.port, "127.0.0.1", () => void socket.write(request.repeat(30)));
      socket.pause();
      socket.on("data", (part) => {
        size += part.length;
        if (size > whole) socket.destroy();
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(size));
      setTimeout(() => socket.resume(), 2500);
    });
  const sizes = await Promise.all(Array.from({ length: 2 }, read));
  expect(Math.max(...sizes)).toBeLessThan(whole);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(250);
  // Silent for longer than that, and then answered.
  const held = s.api(ada.token, "wait_for_gate", { gate_id: gate.id, wait_seconds: 45 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await s.clock.tick(45_000);
  expect((await held).status).toBe(200);
});
