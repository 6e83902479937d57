// The life of a task (B1, B2, B4–B6), pure: open, claimed, submitted, done; or cancelled.
import { Refusal } from "../refusal.ts";
import { missing, roomFor, sizeOf } from "./order.ts";
import { isFinal, isReady, type Round, steers, type Task, type Who, works } from "./task.ts";

/** What a task that is not ready waits for. */
export interface WaitsFor {
  children: readonly number[];
  dependencies: ReadonlyArray<{ id: number; status: Task["status"] }>;
}

const list = (ids: readonly number[]): string => ids.join(", ");
const where = (task: Task): { task_id: number; task_status: Task["status"]; assignee: string | null } => ({
  task_id: task.id,
  task_status: task.status,
  assignee: task.assignee,
});

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
export function notReady(task: Task, waits: WaitsFor): Refusal {
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

function notAssignee(task: Task, what: string): Refusal {
  const holder = task.assignee === null ? "nobody has it" : `${task.assignee} has it`;
  return new Refusal(
    "NOT_ASSIGNEE",
    `Only its assignee ${what} task ${task.id}; ${holder}. Claim it first, or ask a lead.`,
    where(task),
  );
}

/** Its assignee gives it back, claimed or only assigned. */
export function release(task: Task, who: Who, note: string | undefined, now: number): Task {
  if (task.assignee !== who.name || isFinal(task)) throw notAssignee(task, "releases");
  if (task.status === "submitted")
    throw new Refusal("CONFLICT", `Task ${task.id} is submitted and waits for its review.`, where(task));
  return noted(reopen(task, now), "release", who.name, note, now);
}

const noted = (task: Task, on: "release" | "cancel", by: string, note: string | undefined, at: number): Task =>
  note === undefined ? task : { ...task, notes: [...task.notes, { by, at, on, note }] };

/** The same words by the same member, not yet judged or taken as they are. */
export function isResubmitted(task: Task, who: Who, result: string): boolean {
  const last = task.rounds.at(-1);
  return (task.status === "submitted" || task.status === "done") && last?.by === who.name && last.result === result;
}

/** B4: lapsed, released or rejected, and claimed by nobody since: the last assignee may still hand in. */
export const isLate = (task: Task, who: Who): boolean =>
  task.status === "open" && task.last_assignee === who.name && (task.assignee === null || task.assignee === who.name);

/** B5. `reviewed`: somebody here may review it. */
export function submit(
  task: Task,
  who: Who,
  given: { result: string; refs?: string[] | undefined },
  reviewed: boolean,
  children: readonly number[],
  now: number,
): Task {
  if (task.status !== "claimed" || task.assignee !== who.name) {
    if (task.assignee === who.name && task.status === "submitted")
      throw new Refusal("CONFLICT", `Task ${task.id} is submitted already and waits for its review.`, where(task));
    if (isFinal(task))
      throw new Refusal(
        "CONFLICT",
        `Task ${task.id} is ${task.status}; nothing can be handed in any more.`,
        where(task),
      );
    throw notAssignee(task, "hands in");
  }
  mustHaveNoChildren(task, children);
  const round: Round = {
    by: who.name,
    result: given.result,
    ...(given.refs?.length && { refs: given.refs }),
    at: now,
    verdict: null,
    reviewer: null,
    note: null,
  };
  return {
    ...task,
    status: reviewed ? "submitted" : "done",
    rounds: [...task.rounds, round],
    lease_until: null,
    lease_ms: null,
    updated_at: now,
  };
}

export function mustHaveNoChildren(task: Task, children: readonly number[]): void {
  if (task.open_children === 0) return;
  throw new Refusal(
    "CHILDREN_OPEN",
    `Tasks ${list(children)} under task ${task.id} are unfinished; wait for them or cancel them, then submit again.`,
    { task_id: task.id, open_children: children },
  );
}

/** B5: the named reviewer, else any reviewer; leads and people always; never its assignee. */
export function mayReview(task: Pick<Task, "assignee" | "reviewer">, who: Pick<Who, "name" | "role">): boolean {
  if (who.name === task.assignee || who.role === "observer" || who.role === "viewer") return false;
  if (steers(who)) return true;
  return task.reviewer === null ? who.role === "reviewer" : task.reviewer === who.name;
}

export interface Verdict {
  verdict: "approve" | "reject";
  note?: string | undefined;
  keep_assignee?: boolean | undefined;
}

/** B5: `null` when this very verdict was given before. */
export function review(task: Task, who: Who, given: Verdict, now: number): Task | null {
  if (!mayReview(task, who))
    throw new Refusal(
      "FORBIDDEN",
      task.assignee === who.name
        ? "Nobody reviews their own work; another must review this."
        : `Task ${task.id} is reviewed by ${task.reviewer ?? "a reviewer"}, a lead or a person; leave it to them.`,
      { reviewer: task.reviewer },
    );
  const last = task.rounds.at(-1);
  if (task.status !== "submitted" || !last) {
    if (last?.reviewer === who.name && last.verdict === given.verdict && last.note === (given.note ?? null))
      return null;
    const by = last?.verdict
      ? ` ${last.reviewer} ${last.verdict === "approve" ? "approved" : "rejected"} it last.`
      : "";
    throw new Refusal(
      "CONFLICT",
      `Task ${task.id} is ${task.status}, so there is nothing to review.${by}`,
      where(task),
    );
  }
  if (given.verdict === "reject" && given.note === undefined)
    throw new Refusal("BAD_INPUT", "Say in note what has to change; a rejection without it helps nobody.");
  const judged: Round = { ...last, verdict: given.verdict, reviewer: who.name, note: given.note ?? null };
  const next = { ...task, rounds: [...task.rounds.slice(0, -1), judged], updated_at: now };
  if (given.verdict === "approve") return { ...next, status: "done" };
  return reopen(next, now, given.keep_assignee ? task.assignee : null);
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
