// What anybody may see: aggregates only, no name and no text.
import { taskCountsEverywhere } from "../board/view.ts";
import { pendingEverywhere } from "../gates/rows.ts";
import { heardOf, offlineAfter } from "../members/rules.ts";
import type { Table } from "../table.ts";

/** `{tasks_by_status, gates_pending, active_agents}` over all rooms that stand. */
export async function publicStatus(table: Table) {
  const now = table.clock.now();
  return table.store.read(async (db) => {
    const agents = await db
      .selectFrom("members")
      .select(["seen_at", "waits_until", "status"])
      .where("kind", "=", "agent")
      .where("removed_at", "is", null)
      .execute();
    const active = agents.filter((agent) => {
      const heard = heardOf(agent, now);
      return heard !== null && now - heard < offlineAfter && agent.status !== "away";
    });
    return {
      tasks_by_status: await taskCountsEverywhere(db),
      gates_pending: await pendingEverywhere(db, now),
      active_agents: active.length,
    };
  });
}
