// A call that wants little among much looks through a part of it, and says where the next one goes on.
import { expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { inMemory } from "../setup/stores.ts";
import { head, stage } from "../stage.ts";
import type { Guest } from "../table.ts";
import { moreFacts, moreTasks, oldMessages } from "./growth/old.ts";
import { cast } from "./growth/scenario.ts";

type Record = { [field: string]: unknown };

/** All pages of a list: its records, and how many each page had. `most` ends what never ends. */
async function paged(who: Guest, action: string, args: Record, list: string, cursor: [give: string, get: string]) {
  const [give, get] = cursor;
  const all: Record[] = [];
  const pages: Array<{ found: number; next: unknown }> = [];
  let from: Record = {};
  for (let most = 50; most > 0; most--) {
    const page: Result = await who.does(action, { ...args, ...from });
    const found = page[list] as Record[];
    all.push(...found);
    pages.push({ found: found.length, next: page[get] });
    if (page[get] === undefined || page[get] === null) return { all, pages };
    from = { [give]: page[get] };
  }
  throw new Error(`${action} has no end`);
}

it("W5: the log is looked through in parts, and none of its facts is lost between them", async () => {
  const p = await stage(inMemory.make);
  const { lea, ada, zoe } = await cast(p);
  const { id } = (await lea.does("create_task", { title: "First" })).task as { id: number };
  const early = await head(p);
  await ada.does("post_message", { text: "Copied" });
  await moreFacts(p.table.store, await head(p), await head(p), 12_000);
  await p.clock.tick(60_000);
  const since = new Date(p.clock.now()).toISOString();
  await ada.does("claim_task", { task_id: id });
  const last = await head(p);

  const audit = (filter: Record) => paged(lea, "get_audit_log", filter, "entries", ["after", "next"]);
  const created = await audit({ action: "task.created" });
  expect(created.all).toMatchObject([{ seq: early, member: "lea" }]);
  expect(created.pages.map(({ next }) => next)).toEqual([5000, 10_000, undefined]);
  expect((await audit({ action: "task.claimed", member: "ada" })).all).toMatchObject([{ seq: last }]);
  // What happened since then begins there: nothing before it is looked through.
  const recent = await audit({ since });
  expect(recent.all).toMatchObject([{ action: "task.claimed" }]);
  expect(recent.pages).toHaveLength(1);
  expect((await audit({ since: new Date(p.clock.now() + 1000).toISOString() })).all).toEqual([]);
  expect((await audit({ since: "2020-01-01T00:00:00Z", action: "task.created" })).all).toHaveLength(1);

  const facts = (filter: Record) => paged(zoe, "list_facts", { room: "main", ...filter }, "facts", ["before", "next"]);
  for (const filter of [{ kinds: ["task"] }, { text: "first" }, { kinds: ["task"], text: "first" }]) {
    const { all, pages } = await facts(filter);
    expect(all).toMatchObject([{ seq: last }, { seq: early }]);
    expect(pages.map(({ next }) => next)).toEqual([last - 4999, last - 9999, undefined]);
  }
  expect((await facts({ kinds: ["gate"] })).all).toEqual([]);
  const some = await facts({ kinds: ["member"], limit: 3 });
  const at = some.all.map(({ seq }) => seq as number);
  expect(at.length).toBeGreaterThan(3);
  expect(at).toEqual([...new Set(at)].sort((a, b) => b - a));
});

it("W5: messages are looked through in parts, and none is lost between them", async () => {
  const p = await stage(inMemory.make);
  const { lea, ada, bob, zoe } = await cast(p);
  await lea.does("create_task", { title: "First" });
  // Who works on a task gets what is posted about it.
  await bob.does("claim_task", { task_id: 1 });
  const post = async (who: Guest, args: Record) =>
    ((await who.does("post_message", args)).message as Record).id as string;
  const copied = await post(ada, { text: "Noise", task_id: 1 });
  await oldMessages(p.table.store, copied, "bob", 2500);
  const plea = await post(ada, { text: "Please @bob", kind: "help_request", task_id: 1 });
  const word = await post(zoe, { text: "A word", task_id: 1 });

  // Only what a page has becomes read: the noise stays unread.
  const read = (filter: Record) => paged(bob, "read_messages", filter, "messages", ["after", "next"]);
  const unread = await read({ unread: true, kind: "help_request" });
  expect(unread.all).toMatchObject([{ id: plea }]);
  expect(unread.pages.map(({ found }) => found)).toEqual([0, 0, 1]);
  expect((await read({ kind: "help_request", from: "ada" })).all).toMatchObject([{ id: plea }]);
  const zoes = await read({ from: "zoe", task_id: 1 });
  expect(zoes.all).toMatchObject([{ id: word }]);
  expect(zoes.pages.map(({ found }) => found)).toEqual([0, 0, 1]);
  expect((await read({ unread: true, from: "lea" })).all).toEqual([]);

  const wait = async (args: Record) =>
    (await bob.does("wait_for_message", { wait_seconds: 0, ...args })).messages as Record[] | undefined;
  // One waiting call goes through all parts.
  expect(await wait({ after: "0", mentions_only: true })).toMatchObject([{ id: plea }]);
  expect(await wait({ mentions_only: true })).toBeUndefined();
  const late = await post(ada, { text: "Again @bob" });
  expect(await wait({ mentions_only: true })).toMatchObject([{ id: late }]);
  const own = await post(bob, { text: "Mine" });
  expect(await wait({ after: late })).toBeUndefined();
  expect(own > late).toBe(true);
  const all = await read({ limit: 100 });
  expect(all.all).toHaveLength(2505);
});

it("W4, W5: a search among many tasks that have the words goes on where it stopped", async () => {
  const p = await stage(inMemory.make);
  const { lea, ada, bob } = await cast(p);
  for (const title of ["Common work", "Common work too"]) await lea.does("create_task", { title });
  await ada.does("claim_task", { task_id: 1 });
  await moreTasks(p.table.store, 2, 2, 3000);
  await p.table.store.write("main", async ({ db }) => {
    const { putWords } = await import("../../src/board/search.ts");
    for (const task of await db.selectFrom("tasks").selectAll().where("id", ">", 2).execute()) await putWords(db, task);
  });
  await lea.does("create_task", { title: "Common, at last", description: "The rare one" });
  const list = (filter: Record) =>
    paged(bob, "list_tasks", { limit: 100, ...filter }, "tasks", ["cursor", "next_cursor"]);
  // Few fit the other filter: read by it, in one page.
  const claimed = await list({ text: "common", status: "claimed" });
  expect(claimed.all).toMatchObject([{ id: 1 }]);
  expect(claimed.pages).toHaveLength(1);
  // Many fit each, few fit both.
  const none = await list({ text: "rare", status: "open" });
  expect(none.all).toMatchObject([{ id: 3003 }]);
  await p.table.store.write("main", ({ db }) =>
    db.updateTable("tasks").set({ assignee: "ada" }).where("id", ">", 2000).where("id", "<=", 3002).execute(),
  );
  const both = await list({ text: "work too", assignee: "ada" });
  expect(both.all.map(({ id }) => id)).toEqual(Array.from({ length: 1002 }, (_, n) => n + 2001));
  expect(both.pages[0]).toEqual({ found: 0, next: "1001" });
  expect((await list({ text: "common" })).all).toHaveLength(3003);
});
