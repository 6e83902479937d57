// What anybody may see: aggregates only, no name and no text.
import { heardOf, offlineAfter } from "../members/rules.ts";
import type { Table } from "../table.ts";

/** `{tasks_by_status, gates_pending, active_agents}` over all rooms that stand. */
export async function publicStatus(table: Table) {
  const now = table.clock.now();
  return table.store.read(async (db) => {
    const tasks = await db
      .selectFrom("tasks")
      .innerJoin("rooms", "rooms.name", "tasks.room")
      .select((eb) => ["tasks.status", eb.fn.countAll<number>().as("n")])
      .where("rooms.trashed_at", "is", null)
      .groupBy("tasks.status")
      .execute();
    const gates = await db
      .selectFrom("gates")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("status", "=", "pending")
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
      .executeTakeFirst();
    const agents = await db
      .selectFrom("members")
      .select(["seen_at", "waits_until", "status"])
      .where("kind", "=", "agent")
      .where("removed_at", "is", null)
      .execute();
    const tasks_by_status = { open: 0, claimed: 0, submitted: 0, done: 0, cancelled: 0 };
    for (const { status, n } of tasks) tasks_by_status[status] = Number(n);
    const active = agents.filter((agent) => {
      const heard = heardOf(agent, now);
      return heard !== null && now - heard < offlineAfter && agent.status !== "away";
    });
    return { tasks_by_status, gates_pending: Number(gates?.n ?? 0), active_agents: active.length };
  });
}
