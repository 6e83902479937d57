// Handing in and judging (B4, B5), pure: submitted, then done, or open again with the reason; all rounds are kept.
import { Refusal } from "../refusal.ts";
import { reopen } from "./claim.ts";
import { list, notAssignee, where } from "./refuse.ts";
import { isFinal, type Round, steers, type Task, type Who } from "./task.ts";

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
      `Task ${task.id} is ${task.status}, so there is nothing to review; list_tasks {status: "submitted"} shows what is.${by}`,
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
