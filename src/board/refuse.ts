// What refusals of the board have in common.
import { Refusal } from "../refusal.ts";
import type { Task } from "./task.ts";

export const list = (ids: readonly number[]): string => ids.join(", ");

/** Where the task stands, as facts of a refusal. */
export const where = (task: Task): { task_id: number; task_status: Task["status"]; assignee: string | null } => ({
  task_id: task.id,
  task_status: task.status,
  assignee: task.assignee,
});

export function notAssignee(task: Task, what: string): Refusal {
  const holder = task.assignee === null ? "nobody has it" : `${task.assignee} has it`;
  return new Refusal(
    "NOT_ASSIGNEE",
    `Only its assignee ${what} task ${task.id}; ${holder}. Claim it first, or ask a lead.`,
    where(task),
  );
}
