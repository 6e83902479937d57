// How the databases find what a call asks for: every statement that any action sends is explained. Statements are
// collected while every action runs, so that a new action is covered, or fails here until the scenario performs it.
import Database from "better-sqlite3";
import { sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { inMemory, inPostgres } from "../setup/stores.ts";
import { stage } from "../stage.ts";
import type { Play } from "../table.ts";
import { moreFacts, moreTasks, oldFloors, oldGates, oldMessages } from "./growth/old.ts";
import { cast, everything } from "./growth/scenario.ts";
import { spy } from "./growth/spy.ts";

/** Made by people's hands, or one row for each room: these may be read from end to end. */
const small = ["rooms", "members", "memberships", "channels", "receipt_keys", "task_counts", "room_talk"];
/** Subqueries and lists of values, which hold only what was found. */
const made = ["CONSTANT", "pools", "r", "c", "u", "s"];

/** Indexes that hold only what is not over yet: to read one whole is cheap. */
const current = [
  ...["gates_pending", "gates_waiting", "floors_open", "floors_running", "floor_turns_open", "floor_standings_owed"],
  ...["tasks_unreviewed", "tasks_lease", "gates_client", "gates_clients"],
];

/** Reads in the order of an index up to a limit, and filters nothing: the room alone is enough. */
const pages = [
  /^select \* from "tasks" where "room" = \S+ order by "id" limit \S+$/,
  /^select \* from "rules" order by "id" desc$/,
  /^select \* from "gates" where "room" = \S+ order by "id" desc limit \S+$/,
  /^select \* from "gates" where "room" = \S+ and "kind" = \S+ order by "id" desc limit \S+$/,
  /^select "channel" from "floors" where "room" = \S+ and "status" = 'closed' order by "clock_wall" desc limit \S+$/,
  /^select "at" from "keys" where "room" = \S+ order by "at" limit \S+$/,
  /^select "until" as "at" from "gate_snoozes" where "room" = \S+ order by "until" limit \S+$/,
  /^select "expires_at" as "at" from "links" order by "expires_at" limit \S+$/,
  /^select "revoked_at" as "at" from "sessions" where revoked_at is not null order by "revoked_at" limit \S+$/,
];

const isStatement = (words: string): boolean => /^(?:select|update|delete|insert|with)\b/i.test(words);

/** Every statement that the scenario sends to this store, once. */
async function statements(make: typeof inMemory.make) {
  const heard = spy();
  const p = await stage(make);
  const guests = await cast(p);
  heard.take();
  const done = new Set<string>();
  await everything(p, guests, (name) => void done.add(name));
  expect([...p.table.actions.keys()].filter((name) => !done.has(name))).toEqual([]);
  const sent = [...new Set(heard.take().map((one) => one.sql))].filter(isStatement);
  expect(sent.length).toBeGreaterThan(150);
  return { sent, p };
}

/** What of a plan's line on SQLite reads more and more with time; null where it does not. */
function grows(line: string, words: string): boolean {
  const [, way, table = "", index = ""] =
    /^(SCAN|SEARCH) (\S+)(?:.*? USING (?:COVERING |AUTOMATIC COVERING )?INDEX (\S+))?/.exec(line) ?? [];
  if (
    way === undefined ||
    /\d-ROW VALUES|AUTOMATIC|VIRTUAL TABLE INDEX \d+:\S/.test(line) ||
    current.includes(index) ||
    pages.some((page) => page.test(words))
  )
    return false;
  // An alias stands for the table that follows `from` or `join`.
  const real = new RegExp(`(?:from|join|update) "(\\w+)" as "${table}"`).exec(words)?.[1] ?? table;
  if (small.includes(real)) return false;
  if (way === "SCAN") return !made.includes(real);
  return /\((?:room|member)=\?\)/.test(line) && !/^(?:tokens|sessions|notices)_member$/.test(index);
}

it("W1: on SQLite no statement of any action walks what only grows", async () => {
  const { sent, p } = await statements(inMemory.make);
  const bare = new Database(":memory:");
  await p.table.store.read(async (db) => {
    const schema = await sql<{ made: string }>`
      select sql as made from sqlite_schema where sql is not null and name not like 'sqlite%' and name not like 'task_grams_%'`.execute(
      db,
    );
    for (const { made } of schema.rows) bare.exec(made);
  });
  const found = sent.flatMap((words) => {
    const plan = bare.prepare(`explain query plan ${words}`).all(...(words.match(/\?/g) ?? []).map(() => null));
    return (plan as Array<{ detail: string }>).flatMap(({ detail }) =>
      grows(detail, words) ? [`${detail}: ${words}`] : [],
    );
  });
  bare.close();
  expect(found).toEqual([]);
});

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Node[];
}

const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)];

/** Much that is over, as the database has it in years. */
async function fill({ table: { store } }: Play): Promise<void> {
  const times = 20_000;
  const first = await store.read(async (db) => ({
    gate: await db.selectFrom("gates").select("id").where("status", "=", "approved").executeTakeFirstOrThrow(),
    task: await db.selectFrom("tasks").select("id").where("status", "=", "done").executeTakeFirstOrThrow(),
    post: await db.selectFrom("inbox").select(["message_id", "member"]).executeTakeFirstOrThrow(),
  }));
  const over = { acknowledged_at: 1, decided_at: 1, asked_at: 1 };
  await oldGates(store, first.gate.id, times, over, 0);
  await oldFloors(store, "side", "ada", 2000, 0);
  await moreTasks(store, first.task.id, 1000, times, { assignee: sql`'w' || (n.i % 100)` });
  await oldMessages(store, first.post.message_id, first.post.member, times);
  await moreFacts(store, 1, 100_000, times);
}

/** The tables that `fill` has filled; PostgreSQL rightly reads small ones from end to end. */
const filled = ["gates", "tasks", "messages", "inbox", "log", "floors", "floor_standings", "floor_turns"];
/** What is gone for good is looked for by hand. */
const byHand = /^delete from "inbox" where "room" = /;

/** What of a plan's node on PostgreSQL reads more and more with time. */
function walks(node: Node, words: string): boolean {
  const { "Relation Name": table = "", "Index Name": index = "", "Index Cond": condition = "" } = node;
  if (!filled.includes(table) || byHand.test(words) || pages.some((page) => page.test(words))) return false;
  if (node["Node Type"] === "Seq Scan") return true;
  return /^\(\(?(?:\w+\.)?room = [^ ()]+\)?\)$/.test(condition) && !current.includes(index);
}

it("W1: on PostgreSQL no statement of any action walks what only grows", async () => {
  let where = "";
  const { sent, p } = await statements(async () => {
    const fresh = await inPostgres.make();
    where = fresh.where;
    return fresh;
  });
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  async function plans(words: string): Promise<Node[]> {
    const { rows } = await client.query(`explain (generic_plan, format json) ${words}`);
    return all(rows[0]["QUERY PLAN"][0].Plan);
  }
  const without: string[] = [];
  const walked: string[] = [];
  try {
    await client.query("set enable_seqscan = off");
    for (const words of sent)
      for (const { "Node Type": type, "Relation Name": table = "" } of await plans(words))
        if (type === "Seq Scan" && !small.includes(table)) without.push(`${table}: ${words}`);
    await client.query("set enable_seqscan = on");
    await fill(p);
    await client.query("analyze");
    for (const words of sent)
      for (const node of await plans(words))
        if (walks(node, words)) walked.push(`${node["Relation Name"]}, ${node["Index Name"]}: ${words}`);
  } finally {
    await client.end();
  }
  expect(without, "these have no index").toEqual([]);
  expect(walked, "these do not use it").toEqual([]);
}, 30_000);
