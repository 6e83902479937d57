// What calls cost in a large and old store, as ratios to a small and new one, on both stores.
import { sql } from "kysely";
import { publicStatus } from "../src/edges/status.ts";
import { type Caller, callerOfToken } from "../src/members/caller.ts";
import { snapshotOf } from "../src/stream/snapshot.ts";
import { moreTasks, oldFloors, oldGates } from "../test/store/growth/old.ts";
import type { Bench } from "./bench.ts";
import { median } from "./load.ts";
import { onPostgres } from "./postgres.ts";

const times = 30;
const small = { gates: 100, channels: 30, tasks: 1000 };
const large = { gates: 50_000, channels: 2000, tasks: 200_000 };

export async function growth(bench: Bench): Promise<string[]> {
  return [
    `${large.gates} old gates, ${large.channels} closed floors, ${large.tasks} tasks against ${small.gates}, ${small.channels}, ${small.tasks} (medians of ${times})`,
    ...(await ratios(bench, "SQLite")),
    ...(await onPostgres((other) => ratios(other, "PostgreSQL"))),
  ];
}

async function ratios({ table, add }: Bench, kind: string): Promise<string[]> {
  const { store, clock } = table;
  const callerOf = async (token: string) => (await store.read((db) => callerOfToken(db, token))) as Caller;
  const [lea, ada, zoe] = [
    await callerOf(await add("lea", "lead")),
    await callerOf(await add("ada")),
    await callerOf(await add("zoe", "owner")),
  ];
  const does = async (who: Caller, name: string, args: object = {}) => (await table.perform(who, name, args)).result;
  const asked = await does(ada, "request_approval", { title: "Deploy", wait_seconds: 0 });
  const gate = (asked.gate as { id: string }).id;
  await does(zoe, "decide_gate", { gate_id: gate, decision: "approve" });
  await does(lea, "open_floor", { channel: "side", seats: ["ada"] });
  await does(ada, "say", { channel: "side", text: "Something", then: "pass" });
  await does(lea, "close_floor", { channel: "side" });
  await does(zoe, "open_floor", { seats: ["ada"], max_agent_turns: 0 });
  for (let n = 1; n <= 3; n++) await does(lea, "create_task", { title: "Something" });
  const calls: Record<string, () => Promise<unknown>> = {
    say: () => does(ada, "say", { text: "Words", then: "nobody" }),
    whoami: () => does(ada, "whoami"),
    get_task: () => does(ada, "get_task", { task_id: 1 }),
    "claim_task, release_task": async () => {
      await does(ada, "claim_task", { task_id: 2 });
      await does(ada, "release_task", { task_id: 2 });
    },
    "next_task, release_task": async () => {
      const { task } = await does(ada, "next_task");
      await does(ada, "release_task", { task_id: (task as { id: number }).id });
    },
    create_task: () => does(lea, "create_task", { title: "Something new" }),
    update_task: () => does(lea, "update_task", { task_id: 1, title: "Something else" }),
    "list_tasks {assignee}": () => does(ada, "list_tasks", { assignee: "bob" }),
    "list_tasks {text}": () => does(ada, "list_tasks", { text: "else" }),
    "the dashboard's snapshot": () => store.read((db) => snapshotOf(db, "main", zoe, clock.now())),
    "/status": () => publicStatus(table),
  };
  async function measured(): Promise<Map<string, number>> {
    const seen = new Map<string, number>();
    for (const [name, call] of Object.entries(calls)) {
      const took = [];
      for (let n = 0; n < times; n++) {
        const at = performance.now();
        await call();
        took.push(performance.now() - at);
      }
      seen.set(name, median(took));
    }
    return seen;
  }
  async function grow(from: typeof small, to: typeof small, after: number): Promise<void> {
    await oldGates(store, gate, to.gates - from.gates, { acknowledged_at: 1 }, from.gates);
    await oldFloors(store, "side", "ada", to.channels - from.channels, from.channels);
    await moreTasks(store, 3, after, to.tasks - from.tasks);
    // PostgreSQL does this by itself within a minute.
    if (store.kind === "postgres") await store.write("main", async ({ db }) => void (await sql`analyze`.execute(db)));
  }
  await grow({ gates: 0, channels: 0, tasks: 0 }, small, 1000);
  await measured();
  const before = await measured();
  await grow(small, large, 100_000);
  const now = await measured();
  return [...now].map(([name, ms]) => {
    const was = before.get(name) ?? Number.NaN;
    return `  ${`${kind}: ${name}`.padEnd(44)} ${was.toFixed(2)} → ${ms.toFixed(2)} ms (${(ms / was).toFixed(1)})`;
  });
}
