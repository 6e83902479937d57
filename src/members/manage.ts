// Reads who acts upon whom, in the transaction that then acts, and asks authority.ts whether it may (M2).
import type { ReadCall, WriteCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { type Deed, mustHaveAuthority, mustLeaveAnOwner } from "./authority.ts";
import * as rows from "./rows.ts";

type At = Pick<ReadCall, "db" | "actor" | "room">;

/** A member of the server, or a refusal `NOT_FOUND`. */
export async function standing(call: Pick<ReadCall, "db">, name: string) {
  const who = await rows.memberRow(call.db, name);
  if (!who || who.removed_at !== null)
    throw new Refusal("NOT_FOUND", `There is no member called ${name}; list_members shows who is here.`);
  return who;
}

/** @throws a refusal `FORBIDDEN` where the caller may not do this to that member */
export async function mustManage(call: At, deed: Deed, who: { name: string; kind: "agent" | "person" }): Promise<void> {
  const { db, actor, room } = call;
  const by = { ...actor, approves: await rows.roomsOf(db, actor.member, "approver") };
  mustHaveAuthority(
    deed,
    by,
    { name: who.name, kind: who.kind, rooms: await rows.roomsToComeBackTo(db, who.name) },
    room,
  );
}

/** The same as an answer: false also where there is no such member any more, but to those who act everywhere. */
export async function manages(call: At, deed: Deed, name: string): Promise<boolean> {
  const who = await rows.memberRow(call.db, name);
  if (!who) return false;
  try {
    await mustManage(call, deed, who);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Makes a person the server's owner, or owner no longer. Under the server's lock, so that of two owners who are demoted
 * at once, in two rooms, one stays.
 */
export async function setOwner(call: WriteCall, name: string, owns: boolean): Promise<void> {
  if (!owns && (await standing(call, name)).server_role !== "owner") return;
  await call.lockServer();
  const who = await standing(call, name);
  if (owns === (who.server_role === "owner")) return;
  if (owns && who.kind !== "person")
    throw new Refusal("BAD_INPUT", `${name} is an agent; only a person owns the server.`);
  const owners = (await rows.persons(call.db)).filter((person) => person.server_role === "owner");
  if (!owns)
    mustLeaveAnOwner(
      owners.map((owner) => owner.name),
      name,
    );
  await rows.setServerRole(call.db, name, owns ? "owner" : null);
  call.serverFact({ action: "member.role_set", subject: `member:${name}`, to: name, data: { owner: owns } });
}
