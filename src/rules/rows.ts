// Rules as rows, and the gates that they are tried on: the slice's only SQL.
import type { Gate } from "../gates/rules.ts";
import type { Db } from "../store/port.ts";
import type { Rule } from "./rules.ts";

export async function insert(db: Db, rule: Rule): Promise<void> {
  await db
    .insertInto("rules")
    .values({ ...rule, pattern: JSON.stringify(rule.pattern) })
    .execute();
}

export function find(db: Db, id: string): Promise<Rule | undefined> {
  return db.selectFrom("rules").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function revoke(db: Db, id: string, by: string, at: number): Promise<void> {
  await db.updateTable("rules").set({ revoked_by: by, revoked_at: at }).where("id", "=", id).execute();
}

export async function confirm(db: Db, id: string, by: string, at: number): Promise<void> {
  await db.updateTable("rules").set({ confirmed_by: by, confirmed_at: at }).where("id", "=", id).execute();
}

/** What may touch a gate asked in `room` now, in the order made: its maker must still be approver there, or owner. */
export async function inForce(db: Db, room: string, now: number): Promise<Rule[]> {
  const standing = db
    .selectFrom("rules as r")
    .innerJoin("members as m", "m.name", "r.made_by")
    .leftJoin("memberships as s", (on) =>
      on
        .onRef("s.member", "=", "r.made_by")
        .on("s.room", "=", room)
        .on("s.left_at", "is", null)
        .on("s.kicked_at", "is", null),
    )
    .selectAll("r")
    .where("r.revoked_at", "is", null)
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where((eb) => eb.or([eb("m.server_role", "=", "owner"), eb("s.role", "=", "approver")]));
  // Four looks, each by the index: as one, both databases would read the rules that have ended too.
  const found: Rule[] = [];
  for (const here of [standing.where("r.room", "is", null), standing.where("r.room", "=", room)])
    for (const lasting of [here.where("r.expires_at", "is", null), here.where("r.expires_at", ">", now)])
      found.push(...(await lasting.execute()));
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Counts a use of each. Always in the same order, so that no two rooms wait for each other. */
export async function used(db: Db, ids: readonly string[], at: number): Promise<void> {
  for (const id of [...ids].sort())
    await db
      .updateTable("rules")
      .set((eb) => ({ hits: eb("hits", "+", 1), last_used_at: at }))
      .where("id", "=", id)
      .execute();
}

/** Rules, newest first. */
export function all(db: Db, after: string | undefined): Promise<Rule[]> {
  const query = db.selectFrom("rules").selectAll().orderBy("id", "desc");
  return (after === undefined ? query : query.where("id", "<", after)).execute();
}

/** Who may answer gates: the owners everywhere, approvers in their rooms. */
export async function deciders(db: Db): Promise<{ owners: Set<string>; rooms: Map<string, Set<string>> }> {
  const owners = await db
    .selectFrom("members")
    .select("name")
    .where("server_role", "=", "owner")
    .where("removed_at", "is", null)
    .execute();
  const approvers = await db
    .selectFrom("memberships as s")
    .innerJoin("members as m", "m.name", "s.member")
    .select(["s.room", "s.member"])
    .where("s.role", "=", "approver")
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null)
    .where("m.removed_at", "is", null)
    .execute();
  const rooms = new Map<string, Set<string>>();
  for (const { room, member } of approvers) rooms.set(member, (rooms.get(member) ?? new Set()).add(room));
  return { owners: new Set(owners.map(({ name }) => name)), rooms };
}

/** Approvals asked for in these rooms, newest first. Room by room, so that none is sorted. */
export async function asked(
  db: Db,
  rooms: readonly string[],
  before: string | undefined,
  limit: number,
): Promise<Gate[]> {
  const found: Gate[] = [];
  for (const room of rooms) {
    let query = db.selectFrom("gates").selectAll().where("room", "=", room).where("kind", "=", "approval");
    if (before !== undefined) query = query.where("id", "<", before);
    found.push(...(await query.orderBy("id", "desc").limit(limit).execute()));
  }
  return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
