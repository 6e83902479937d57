// Who the board deals with: members of the room, and the server's owner, who acts as approver in every room.
import type { ReadCall, Result } from "../action.ts";
import { memberIn, memberRow, membersIn, persons } from "../members/rows.ts";
import { reachabilityOf } from "../members/view.ts";
import { Refusal } from "../refusal.ts";
import type { Db } from "../store/port.ts";
import type { Task, Who } from "./task.ts";
import { mayReview } from "./verdict.ts";

export async function lookUp(db: Db, room: string, name: string): Promise<Who | undefined> {
  const here = await memberIn(db, room, name);
  if (here) return here;
  const row = await memberRow(db, name);
  if (row?.server_role !== "owner" || row.removed_at !== null) return undefined;
  return { ...row, role: "approver" };
}

/** A member named in the arguments. */
export async function named(db: Db, room: string, name: string, as: "assignee" | "reviewer"): Promise<Who> {
  const who = await lookUp(db, room, name);
  if (who) return who;
  const members = (await membersIn(db, room)).map((member) => member.name);
  throw new Refusal(
    "INVALID_TARGET",
    `There is no ${name} in ${room} to be ${as}; name one of ${members.slice(0, 20).join(", ")}.`,
    { members },
  );
}

/** Whether the members that a call names, but the caller, are there: nothing where it names none. */
export async function reachabilityOfNamed(
  call: Pick<ReadCall, "db" | "room" | "now" | "actor">,
  names: ReadonlyArray<string | null | undefined>,
): Promise<{ reachability?: Result[] }> {
  const reachability = await reachabilityOf(
    call,
    names.filter((name) => name !== call.actor.member),
  );
  return reachability.length > 0 ? { reachability } : {};
}

/** The caller, with the role in which it calls. */
export async function caller(call: Pick<ReadCall, "db" | "room" | "role" | "actor">): Promise<Who> {
  const row = await memberRow(call.db, call.actor.member);
  if (!row) throw new Refusal("FORBIDDEN", "Only members act on the board; name yourself with a token.");
  return { ...row, role: call.role };
}

/** B5: whether anybody here may review this task. */
export async function isReviewable(db: Db, task: Task): Promise<boolean> {
  const here = await membersIn(db, task.room);
  if (here.some((who) => mayReview(task, who))) return true;
  const owners = (await persons(db)).filter((person) => person.server_role === "owner");
  return owners.some(({ name }) => name !== task.assignee);
}

/**
 * The lead who is told when a task has lost its assignee: who made it, else the first by name; else nobody.
 * @param but who knows already
 */
export async function leadOf(db: Db, task: Task, but?: string): Promise<string | null> {
  const here = await membersIn(db, task.room);
  const leads = here.filter(({ name, role }) => role === "lead" && name !== but).map(({ name }) => name);
  return leads.find((name) => name === task.creator) ?? leads[0] ?? null;
}
