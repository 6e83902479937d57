// What `next_task` gives first, and to whom (B2, B3): kept on the row, so that an index answers.
import { type Priority, priorities, type Task, type Who } from "./task.ts";

/** 0 first: those whose root a person made, then by priority. */
export const rankOf = (forPerson: boolean, priority: Priority): number =>
  (forPerson ? 0 : priorities.length) + (priorities.length - 1 - priorities.indexOf(priority));

/** Whether a person made the root of a task with this rank. */
export const isForPerson = (rank: number): boolean => rank < priorities.length;

const fold = (skill: string): string => skill.normalize("NFKC").toLowerCase().trim();

/** The skills without doubles that differ by case alone, as first written. */
export const distinct = (skills: readonly string[]): string[] =>
  skills.filter((skill, at) => skills.findIndex((other) => fold(other) === fold(skill)) === at);

/** Which of the required skills are not held. */
export function missing(required: readonly string[], held: readonly string[]): string[] {
  const has = new Set(held.map(fold));
  return required.filter((skill) => !has.has(fold(skill)));
}

/** Which tasks the same members may claim: meant for the same one, with the same reviewer and skills. */
export const poolOf = ({ assignee, reviewer, skills }: Pick<Task, "assignee" | "reviewer" | "skills">): string =>
  JSON.stringify([assignee ?? "", reviewer ?? "", ...skills.map(fold).sort()]);

/** The pools of what is meant for this member (null: for anybody) lie between these two, as text is sorted. */
export function poolsFor(assignee: string | null): { from: string; to: string } {
  const start = JSON.stringify([assignee ?? ""]).slice(0, -1);
  // A comma follows, and what sorts next after it is a hyphen.
  return { from: `${start},`, to: `${start}-` };
}

/** Whether skills and reviewer let this member claim the tasks of a pool that is meant for it, or for anybody. */
export function fits(pool: string, who: Pick<Who, "name" | "skills">): boolean {
  const [, reviewer, ...skills] = JSON.parse(pool) as string[];
  return reviewer !== who.name && missing(skills, who.skills).length === 0;
}

/** Code points of what a claimant has to read. */
export function sizeOf({ title, description, refs }: Pick<Task, "title" | "description" | "refs">): number {
  let size = 0;
  for (const text of [title, description, ...refs]) size += [...text].length;
  return size;
}

/** B8: how large a task may be for a member: 5 % of its context, a token being three characters; null: any. */
export const roomFor = ({ context_tokens }: Pick<Who, "context_tokens">): number | null =>
  context_tokens === null ? null : Math.floor((context_tokens * 3) / 20);

/** The task with what the index needs worked out anew. */
export const arranged = (task: Task): Task => ({
  ...task,
  rank: rankOf(isForPerson(task.rank), task.priority),
  pool: poolOf(task),
  size: sizeOf(task),
});
