// Who makes, changes and cancels tasks (B1, B4, B6), pure.
import { Refusal } from "../refusal.ts";
import { where } from "./refuse.ts";
import { isFinal, noted, steers, type Task, type Who } from "./task.ts";

/** B1: leads and people make tasks anywhere; a worker only under a task that it has claimed. */
export function mayCreate(parent: Task | null, who: Who): void {
  if (!parent) {
    if (steers(who)) return;
    throw new Refusal(
      "FORBIDDEN",
      "A worker makes tasks only under one that it has claimed: give parent_id, or ask a lead to make this task.",
    );
  }
  if (isFinal(parent) || parent.status === "submitted")
    throw new Refusal(
      "CONFLICT",
      `Task ${parent.id} is ${parent.status}, so nothing can be added under it; choose another parent_id or make it without.`,
      where(parent),
    );
  if (steers(who) || (parent.status === "claimed" && parent.assignee === who.name)) return;
  throw new Refusal(
    "FORBIDDEN",
    `You have not claimed task ${parent.id}; a worker adds only under its own. Ask a lead to add this.`,
    where(parent),
  );
}

/** B6: its creator, its root's creator, leads and people. */
export function mayCancel(task: Task, root: Pick<Task, "creator">, who: Who): void {
  if (task.status === "done")
    throw new Refusal("CONFLICT", `Task ${task.id} is done, and done stays done.`, where(task));
  if (steers(who) || task.creator === who.name || root.creator === who.name) return;
  throw new Refusal(
    "FORBIDDEN",
    `Task ${task.id} is cancelled by who made it or its root, a lead or a person; release_task gives it back.`,
    { creator: task.creator },
  );
}

export function cancel(task: Task, by: string, reason: string | undefined, now: number): Task {
  const next: Task = {
    ...task,
    status: "cancelled",
    open_children: 0,
    lease_until: null,
    lease_ms: null,
    updated_at: now,
  };
  return noted(next, "cancel", by, reason, now);
}

export interface Change {
  title?: string | undefined;
  description?: string | undefined;
  priority?: Task["priority"] | undefined;
  /** `null`: nobody. */
  assignee?: string | null | undefined;
  reviewer?: string | null | undefined;
  skills?: string[] | undefined;
  depends_on?: number[] | undefined;
}

/** Its creator, leads and people; a claim is taken away by leads and people only (B4). */
export function mayUpdate(task: Task, change: Change, who: Who): void {
  if (!steers(who) && task.creator !== who.name)
    throw new Refusal("FORBIDDEN", `Task ${task.id} is changed by who made it, a lead or a person; ask one of them.`, {
      creator: task.creator,
    });
  if (isFinal(task))
    throw new Refusal(
      "CONFLICT",
      `Task ${task.id} is ${task.status} and changes no more; make a new one.`,
      where(task),
    );
  const reassigns = change.assignee !== undefined && change.assignee !== task.assignee;
  if (task.status === "submitted" && (reassigns || change.skills || change.depends_on))
    throw new Refusal(
      "CONFLICT",
      `Task ${task.id} is submitted; review it first, then change who does it.`,
      where(task),
    );
  if (task.status === "claimed" && reassigns && !steers(who))
    throw new Refusal(
      "FORBIDDEN",
      `${task.assignee} has claimed task ${task.id}; only a lead or a person takes it away.`,
      {
        assignee: task.assignee,
      },
    );
}
