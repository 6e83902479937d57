// Dependencies form no cycle (B9): a task waits for what it depends on and for its children.
import { Refusal } from "../refusal.ts";
import type { Db } from "../store/port.ts";
import * as rows from "./rows.ts";

/**
 * The tasks that a task may depend on, or a refusal.
 * @param itself the task; one that is yet to be made: its parent, which will wait for it; null: nothing waits for it
 */
export async function checkDependencies(
  db: Db,
  room: string,
  on: readonly number[],
  itself: number | null,
): Promise<{ ids: number[]; open: number }> {
  const ids = [...new Set(on)].sort((a, b) => a - b);
  if (ids.length === 0) return { ids, open: 0 };
  const found = new Map((await rows.byIds(db, room, ids)).map((task) => [task.id, task]));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0)
    throw new Refusal(
      "NOT_FOUND",
      `There is no task ${unknown.join(", ")} in ${room}; list_tasks shows those there are.`,
      {
        unknown,
      },
    );
  const cancelled = ids.filter((id) => found.get(id)?.status === "cancelled");
  if (cancelled.length > 0)
    throw new Refusal("CONFLICT", `Task ${cancelled.join(", ")} was cancelled and will never be done; leave it out.`, {
      cancelled,
    });
  const open = ids.filter((id) => found.get(id)?.status !== "done");
  if (itself !== null) await refuseCycle(db, room, open, itself);
  return { ids, open: open.length };
}

/** Walks all that these wait for, level by level. */
async function refuseCycle(db: Db, room: string, from: readonly number[], itself: number): Promise<void> {
  const seen = new Set(from);
  let level = [...from];
  while (level.length > 0) {
    if (level.includes(itself))
      throw new Refusal(
        "CONFLICT",
        `That would be a circle: what it should depend on waits for task ${itself} itself. Leave it out of depends_on.`,
        { circle: itself },
      );
    const next = [
      ...(await rows.dependenciesOf(db, room, level)).filter(
        ({ status }) => status !== "done" && status !== "cancelled",
      ),
      ...(await rows.openChildren(db, room, level)),
    ].map(({ id }) => id);
    level = [...new Set(next)].filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
}
