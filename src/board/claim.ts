// Whose a task is (B2, B4, B8), pure: assigned, claimed, given back.
import { Refusal } from "../refusal.ts";
import { missing, roomFor, sizeOf } from "./order.ts";
import { list, notAssignee, where } from "./refuse.ts";
import { isFinal, isReady, noted, type Task, type Who, works } from "./task.ts";

/** What a task that is not ready waits for. */
export interface WaitsFor {
  children: readonly number[];
  dependencies: ReadonlyArray<{ id: number; status: Task["status"] }>;
}

type Sized = Pick<Task, "title" | "description" | "refs">;

/** B8: at creation, assignment and claim alike. */
function mustFit(task: Sized, who: Who): void {
  const most = roomFor(who);
  const size = sizeOf(task);
  if (most === null || size <= most) return;
  throw new Refusal(
    "TOO_BIG_FOR_ASSIGNEE",
    `This task is about ${Math.ceil(size / 3)} tokens; for ${who.name} it may be at most ${Math.floor(most / 3)}. Split it, or shorten its description.`,
    { member: who.name, tokens: Math.ceil(size / 3), at_most: Math.floor(most / 3) },
  );
}

/** B2: whoever is made the assignee could also claim it. */
export function mayBeAssigned(task: Sized & Pick<Task, "reviewer" | "skills">, who: Who): void {
  if (!works(who))
    throw new Refusal("INVALID_TARGET", `${who.name} is ${who.role} here and takes no tasks; assign somebody else.`);
  if (task.reviewer === who.name)
    throw new Refusal("INVALID_TARGET", `${who.name} is the reviewer; nobody reviews their own work. Name another.`);
  const lacks = missing(task.skills, who.skills);
  if (lacks.length > 0)
    throw new Refusal("INVALID_TARGET", `${who.name} lacks ${lacks.join(", ")}; assign somebody who has it.`, {
      missing: lacks,
    });
  mustFit(task, who);
}

export function mayBeReviewer(task: Pick<Task, "assignee">, who: Who): void {
  if (who.role === "observer" || who.role === "viewer")
    throw new Refusal("INVALID_TARGET", `${who.name} is ${who.role} here and reviews nothing; name another reviewer.`);
  if (task.assignee === who.name)
    throw new Refusal("INVALID_TARGET", `${who.name} is the assignee; nobody reviews their own work. Name another.`);
}

/** @returns the refusal that a task which is not ready deserves */
function notReady(task: Task, waits: WaitsFor): Refusal {
  const cancelled = waits.dependencies.filter(({ status }) => status === "cancelled").map(({ id }) => id);
  const reasons = [
    waits.children.length ? `its children ${list(waits.children)} are unfinished` : "",
    waits.dependencies.length ? `it depends on ${list(waits.dependencies.map(({ id }) => id))}` : "",
    cancelled.length ? `${list(cancelled)} was cancelled, so a lead must change depends_on` : "",
  ].filter(Boolean);
  return new Refusal("NOT_READY", `Task ${task.id} is not ready: ${reasons.join("; ")}. Take another with next_task.`, {
    next: { call: "next_task" },
    open_children: waits.children,
    open_dependencies: waits.dependencies.map(({ id }) => id),
    ...(cancelled.length > 0 && { cancelled_dependencies: cancelled }),
  });
}

/** B2: refuses who may not claim this task now. */
export function mayClaim(task: Task, who: Who, waits: WaitsFor): void {
  const next = { call: "next_task" };
  if (task.status === "claimed" || task.status === "submitted")
    throw new Refusal("ALREADY_CLAIMED", `${task.assignee} has task ${task.id} already; take another with next_task.`, {
      ...where(task),
      next,
    });
  if (isFinal(task))
    throw new Refusal("CONFLICT", `Task ${task.id} is ${task.status}; take another with next_task.`, {
      ...where(task),
      next,
    });
  if (task.assignee !== null && task.assignee !== who.name)
    throw new Refusal(
      "NOT_ASSIGNEE",
      `Task ${task.id} is meant for ${task.assignee}; take another with next_task, or ask a lead to assign it to you.`,
      { ...where(task), next },
    );
  if (task.reviewer === who.name)
    throw new Refusal("FORBIDDEN", `You are the reviewer of task ${task.id}, so another must do it.`, { next });
  const lacks = missing(task.skills, who.skills);
  if (lacks.length > 0)
    throw new Refusal("FORBIDDEN", `Task ${task.id} needs ${lacks.join(", ")}, which you lack; take another.`, {
      missing: lacks,
      next,
    });
  if (!isReady(task)) throw notReady(task, waits);
  mustFit(task, who);
}

/** Whose it is from now on. A person's claim never lapses (B4). */
export function claim(task: Task, who: Who, now: number, leaseMs: number): Task {
  const lapses = who.kind === "agent";
  return {
    ...task,
    status: "claimed",
    assignee: who.name,
    last_assignee: who.name,
    lease_until: lapses ? now + leaseMs : null,
    lease_ms: lapses ? leaseMs : null,
    updated_at: now,
  };
}

/** Open again, for anybody. */
export const reopen = (task: Task, now: number, assignee: string | null = null): Task => ({
  ...task,
  status: "open",
  assignee,
  lease_until: null,
  lease_ms: null,
  updated_at: now,
});

/** Its assignee gives it back, claimed or only assigned. */
export function release(task: Task, who: Who, note: string | undefined, now: number): Task {
  if (task.assignee !== who.name || isFinal(task)) throw notAssignee(task, "releases");
  if (task.status === "submitted")
    throw new Refusal("CONFLICT", `Task ${task.id} is submitted and waits for its review.`, where(task));
  return noted(reopen(task, now), "release", who.name, note, now);
}
