import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { best } from "../../src/board/next.ts";
import { distinct, fits, missing, poolOf, poolsFor, rankOf, roomFor, sizeOf } from "../../src/board/order.ts";
import { insert } from "../../src/board/rows.ts";
import type { Task } from "../../src/board/task.ts";
import { inFile, inPostgres } from "../setup/stores.ts";

const blank: Task = {
  ...{ room: "main", id: 1, title: "t", description: "", status: "open", priority: "medium", rank: 0 },
  ...{ skills: [], pool: "", size: 0, assignee: null, last_assignee: null, creator: "lena", reviewer: null },
  ...{ parent_id: null, root_id: 1, depth: 0, open_children: 0, open_dependencies: 0, refs: [], rounds: [] },
  ...{ notes: [], lease_until: null, lease_ms: null, budget_tasks: null, budget_depth: null },
  ...{ made: 0, given_back: 0, created_at: 0, updated_at: 0 },
};

describe("the order, purely", () => {
  it("B3: persons' requests before all others, then priority", () => {
    const ranks = [true, false].flatMap((person) =>
      (["high", "medium", "low"] as const).map((priority) => rankOf(person, priority)),
    );
    expect(ranks).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("B2: skills are held whatever their case, and doubles are one", () => {
    expect(missing(["Rust", "ÄRA", "go"], ["rust", "ära"])).toEqual(["go"]);
    expect(distinct(["Go", "go", "GO ", "rust"])).toEqual(["Go", "rust"]);
  });

  it("B3: a pool lies where it is looked for, whatever a name looks like", () => {
    const names = [null, "a", "ada", "ada b", "ada-b", "ada,b", "Z", "ä", "😀"];
    for (const assignee of names)
      for (const meant of names) {
        const pool = poolOf({ assignee, reviewer: "rita", skills: ["Go", "C"] });
        const { from, to } = poolsFor(meant);
        const inside =
          Buffer.compare(Buffer.from(pool), Buffer.from(from)) > 0 &&
          Buffer.compare(Buffer.from(pool), Buffer.from(to)) < 0;
        expect(inside).toBe(assignee === meant);
      }
    const pool = poolOf({ assignee: null, reviewer: "rita", skills: ["Go", "C"] });
    expect(poolOf({ assignee: null, reviewer: "rita", skills: ["c", "GO"] })).toBe(pool);
    expect(fits(pool, { name: "ada", skills: ["go", "c", "rust"] })).toBe(true);
    expect(fits(pool, { name: "ada", skills: ["go"] })).toBe(false);
    expect(fits(pool, { name: "rita", skills: ["go", "c"] })).toBe(false);
  });

  it("B8: characters are code points, a token three of them", () => {
    expect(sizeOf({ title: "😀😀", description: "é", refs: ["ab", "c"] })).toBe(6);
    expect(roomFor({ context_tokens: 200_000 })).toBe(30_000);
    expect(roomFor({ context_tokens: null })).toBeNull();
  });
});

/** Keeps what is asked of the database. */
function listening(asked: RootOperationNode[]): KyselyPlugin {
  return {
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

for (const maker of [inFile, inPostgres])
  it(`B3: what next_task costs does not grow with the board (${maker.name})`, async () => {
    const { store, remove } = await maker.make();
    onTestFinished(remove);
    await store.write("main", async ({ db }) => {
      for (let id = 1; id <= 1200; id++)
        await insert(db, {
          ...blank,
          ...{ id, root_id: id, rank: id % 6, status: id % 4 === 0 ? "done" : "open", open_dependencies: id % 3 },
          skills: id % 5 === 0 ? [] : ["go", `s${id % 20}`],
          assignee: id % 7 === 0 ? `worker ${id % 10}` : null,
        });
      // As it does by itself before long.
      if (store.kind === "postgres") await sql`analyze tasks`.execute(db);
    });
    const asked: RootOperationNode[] = [];
    const who = {
      name: "worker 7",
      kind: "agent",
      role: "worker",
      skills: ["Go", "S3"],
      context_tokens: 9000,
    } as const;
    await store.read(async (db) => {
      const task = await best(db.withPlugin(listening(asked)), "main", who);
      // By hand: open, ready, meant for all or for it, without skills or with go and s3; the lowest rank, then number.
      expect(task).toMatchObject({ id: 30, rank: 1 });
      const walks = asked
        .map((node) => db.getExecutor().compileQuery(node as never, { queryId: "plan" }))
        .filter((query) => query.sql.includes("recursive"));
      expect(walks).toHaveLength(2);
      for (const { sql: words, parameters } of walks) {
        const explain = store.kind === "sqlite" ? "explain query plan" : "explain";
        const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${words}`, [...parameters]));
        const plan = rows.map((row) => Object.values(row as object).join(" ")).join("\n");
        const touches = plan.split("\n").filter((line) => /(SCAN|SEARCH|Scan).*\btasks\b/.test(line));
        expect(touches.length).toBeGreaterThanOrEqual(2);
        for (const line of touches)
          expect(line).toMatch(/SEARCH tasks USING INDEX tasks_next|Index Only Scan using tasks_next/);
        expect(plan).not.toMatch(/Sort|TEMP B-TREE/);
      }
    });
  });
