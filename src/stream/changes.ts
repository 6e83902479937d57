// What facts changed, whole: the records that a dashboard replaces by id.
import type { Result } from "../action.ts";
import { dependentsOf, taskCounts, taskRecords } from "../board/view.ts";
import { briefTask } from "../board/view-brief.ts";
import { floorRecords } from "../floor/view-record.ts";
import * as gates from "../gates/rows.ts";
import { cardView } from "../gates/view.ts";
import { streamed } from "../gates/view-brief.ts";
import type { Fact } from "../log.ts";
import type { Db } from "../store/port.ts";
import { factViews, idOf } from "./facts.ts";
import { rosterNow } from "./roster.ts";

export { privateTo } from "./facts.ts";

/** `{facts, gates?, tasks?, task_counts?, floors?, members?}` as of `now`, as this viewer may see it. */
export async function changesOf(
  db: Db,
  room: string,
  facts: readonly Fact[],
  viewer: string | null,
  now: number,
): Promise<Result> {
  const ids = (kind: string) => [...new Set(facts.flatMap((fact) => idOf(fact.subject, kind) ?? []))];
  const changes: Result = { facts: await factViews(db, room, facts, viewer) };
  const gateIds = ids("gate");
  const gateRows = gateIds.length > 0 ? await gates.byIds(db, room, gateIds) : [];
  if (gateRows.length > 0) changes.gates = gateRows.map((gate) => streamed(cardView(gate, now)));
  const direct = [...ids("task").map(Number), ...gateRows.flatMap((gate) => gate.task_id ?? [])];
  if (direct.length > 0) {
    const all = [...new Set([...direct, ...(await dependentsOf(db, room, direct))])];
    changes.tasks = (await taskRecords(db, room, all, now)).map(briefTask);
    changes.task_counts = await taskCounts(db, room);
  }
  const channels = ids("floor");
  if (channels.length > 0) changes.floors = await floorRecords(db, room, channels, now);
  if (facts.length > 0) changes.members = await rosterNow(db, room, now);
  return changes;
}
