// What a task's end changes around it: its parent has one child less to wait for, its dependents one task less.
import type { NewFact, WriteCall } from "../action.ts";
import { withdrawOfTask } from "../gates/endings.ts";
import { leadOf } from "./people.ts";
import * as rows from "./rows.ts";
import { isFinal, isReady, type Task } from "./task.ts";

/** One row of the task's history. */
export function tell(call: WriteCall, action: `task.${string}`, task: Task, more: Omit<NewFact, "action" | "subject">) {
  const { data, ...rest } = more;
  call.fact({ action, subject: `task:${task.id}`, ...rest, data: { status: task.status, ...data } });
}

/** It became done: whoever waited for it may go on, and no gate of it waits any more. */
export async function finished(call: WriteCall, task: Task): Promise<void> {
  for (const was of await rows.dependents(call.db, call.room, [task.id])) {
    const next = { ...was, open_dependencies: was.open_dependencies - 1, updated_at: call.now };
    await rows.put(call.db, next);
    tellReady(call, next);
  }
  await leftParent(call, task);
  await withdrawOfTask(call, task.id, `task ${task.id} is done`);
}

/** It is no longer among the unfinished children of its parent. */
export async function leftParent(call: WriteCall, task: Task): Promise<void> {
  if (task.parent_id === null) return;
  const parent = await rows.find(call.db, call.room, task.parent_id);
  if (!parent || isFinal(parent)) return;
  const next = { ...parent, open_children: parent.open_children - 1, updated_at: call.now };
  await rows.put(call.db, next);
  tellReady(call, next);
}

/** Whoever has it learns that nothing holds it up. Others are woken by the fact of what was finished. */
function tellReady(call: WriteCall, task: Task): void {
  if (isReady(task) && task.assignee !== null)
    tell(call, "task.updated", task, { to: task.assignee, data: { ready: true } });
}

/** They were cancelled: what depends on them, and was not cancelled with them, can only be put right by a lead. */
export async function orphaned(call: WriteCall, cancelled: readonly Task[]): Promise<void> {
  const ids = new Set(cancelled.map(({ id }) => id));
  for (const task of await rows.dependents(call.db, call.room, [...ids])) {
    const on = await rows.dependenciesOf(call.db, call.room, [task.id]);
    tell(call, "task.updated", task, {
      to: await leadOf(call.db, task),
      data: { cancelled_dependencies: on.filter(({ id }) => ids.has(id)).map(({ id }) => id) },
    });
  }
}
