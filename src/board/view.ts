// A task as the public contract shows it, and what other parts of the house ask of the board.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import type { Presence } from "../members/rules.ts";
import type { Db } from "../store/port.ts";
import { renewed } from "./lease.ts";
import { presences as presencesOf } from "./lease-rows.ts";
import * as rows from "./rows.ts";
import { isFinal, isReady, type Round, type Task } from "./task.ts";

/** What stands beside a task's row. */
interface Beside {
  dependencies: ReadonlyArray<{ id: number; status: Task["status"] }>;
  blocked: boolean;
  presence: Presence | undefined;
}

const roundView = ({ at, ...round }: Round): Result => ({ ...round, at: iso(at) });

function view(task: Task, beside: Beside, now: number): Result {
  const { dependencies, presence } = beside;
  const cancelled = isFinal(task) ? [] : dependencies.filter(({ status }) => status === "cancelled");
  const until = presence ? renewed(task, presence, now) : task.lease_until;
  const last = task.rounds.at(-1);
  return {
    id: task.id,
    room: task.room,
    title: task.title,
    description: task.description,
    status: task.status,
    ready: !isFinal(task) && isReady(task),
    blocked: beside.blocked,
    priority: task.priority,
    skills: task.skills,
    assignee: task.assignee,
    creator: task.creator,
    reviewer: task.reviewer,
    parent_id: task.parent_id,
    root_id: task.root_id,
    depends_on: dependencies.map(({ id }) => id),
    ...(task.open_children > 0 && { open_children: task.open_children }),
    ...(cancelled.length > 0 && {
      cancelled_dependencies: cancelled.map(({ id }) => id),
      advice: `Task ${cancelled[0]?.id}, on which this depends, was cancelled: ask a lead to change depends_on or to cancel this.`,
    }),
    refs: task.refs,
    ...((task.status === "submitted" || task.status === "done") && last && { result: last.result }),
    rounds: task.rounds.map(roundView),
    ...(task.notes.length > 0 && { notes: task.notes.map(({ at, ...note }) => ({ ...note, at: iso(at) })) }),
    ...(until !== null && { lease_until: iso(until) }),
    created_at: iso(task.created_at),
    updated_at: iso(task.updated_at),
  };
}

/** The records of these rows, in their order. */
export async function recordsOf(db: Db, room: string, tasks: readonly Task[], now: number): Promise<Result[]> {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => id);
  const dependencies = await rows.dependenciesOf(db, room, ids);
  const blocked = new Set(await rows.blocked(db, room));
  const leased = tasks.filter((task) => task.lease_until !== null).flatMap(({ assignee }) => assignee ?? []);
  const presences = leased.length > 0 ? await presencesOf(db, [...new Set(leased)]) : new Map<string, Presence>();
  const byTask = new Map<number, typeof dependencies>();
  for (const one of dependencies) byTask.set(one.task_id, [...(byTask.get(one.task_id) ?? []), one]);
  return tasks.map((task) =>
    view(
      task,
      {
        dependencies: byTask.get(task.id) ?? [],
        blocked: !isFinal(task) && blocked.has(task.id),
        presence: presences.get(task.assignee ?? ""),
      },
      now,
    ),
  );
}

export async function recordOf(db: Db, task: Task, now: number): Promise<Result> {
  const [record] = await recordsOf(db, task.room, [task], now);
  return record as Result;
}

/** Records by number; those that do not exist are left out. */
export async function taskRecords(db: Db, room: string, ids: readonly number[], now: number): Promise<Result[]> {
  return ids.length === 0 ? [] : recordsOf(db, room, await rows.byIds(db, room, ids), now);
}

/** The newest 200 each that are open, claimed or submitted, and the newest 50 that are done or cancelled. */
export async function boardSnapshot(db: Db, room: string, now: number): Promise<Result[]> {
  const unfinished = await rows.newestUnfinished(db, room, 200);
  return recordsOf(db, room, [...unfinished, ...(await rows.newestFinal(db, room, 50))], now);
}

/** How many tasks a room has in each state. */
export async function taskCounts(db: Db, room: string): Promise<Record<Task["status"], number>> {
  return summed(await rows.counts(db, room));
}

/** The same over all rooms that stand. */
export async function taskCountsEverywhere(db: Db): Promise<Record<Task["status"], number>> {
  return summed(await rows.countsEverywhere(db));
}

function summed(counts: ReadonlyArray<{ status: Task["status"]; n: number }>): Record<Task["status"], number> {
  const sums = { open: 0, claimed: 0, submitted: 0, done: 0, cancelled: 0 };
  for (const { status, n } of counts) sums[status] += n;
  return sums;
}

/** Whose readiness a change of these tasks may have changed: what depends on them, and their parents. */
export const dependentsOf = (db: Db, room: string, ids: readonly number[]): Promise<number[]> =>
  rows.neighbours(db, room, ids);

/** The newest that are claimed in a room: `{id, title, status, assignee}`. */
export const tasksOfRoom = (db: Db, room: string) => rows.claimedIn(db, room, 500);

/** What a member has claimed, in all rooms: `{room, id, title, status, from, from_person?}`. */
export const tasksOfMember = rows.claimedBy;

/** M6: whether titles among these are the words of other agents. */
export const quotesAgents = (tasks: ReadonlyArray<{ from: string; from_person?: true }>, member: string): boolean =>
  tasks.some(({ from, from_person }) => from !== member && !from_person);

/** What waits for the review of this member by name: `{room, task_id}`. */
export const reviewsFor = rows.toReview;

/** What waits for a member to claim it: `{room, task_id, title, from, from_person?, assigned?, rejected?, rejected_by?}`. */
export const tasksFor = rows.toClaim;
