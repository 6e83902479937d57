// Who may call what, in which room: looked at before the arguments are read, and again inside the transaction.
import type { AnyAction } from "./action.ts";
import { actsEverywhere } from "./members/authority.ts";
import type { Caller } from "./members/caller.ts";
import { type Role, serverRoom } from "./members/rules.ts";
import { Refusal } from "./refusal.ts";
import type { WriteTx } from "./store/port.ts";
import { name as nameWord } from "./words.ts";

/** The arguments of an action: its own, and `room` where it acts in one. */
export function fields(action: AnyAction): AnyAction["input"] {
  return action.scope === "server" || "room" in action.input
    ? action.input
    : { ...action.input, room: nameWord.optional() };
}

/** The owner acts in every room as an approver. */
export const roleIn = (caller: Caller, room: string): Role | undefined =>
  caller.actor.serverRole === "owner" ? (caller.rooms.get(room) ?? "approver") : caller.rooms.get(room);

/** The room that a call is about: the named one, or the caller's only one. */
export function roomOf(caller: Caller, action: AnyAction, args: Record<string, unknown>): string {
  if (action.scope === "server") return serverRoom;
  const rooms = [...caller.rooms.keys()].sort();
  if (args.room === undefined || args.room === null) {
    if (caller.actor.kind === "local") return "main";
    if (rooms.length === 1 && rooms[0] !== undefined) return rooms[0];
    throw new Refusal(
      "ROOM_NEEDED",
      rooms.length === 0
        ? "You are in no room yet: join_room one, or ask a room's operator."
        : `Say which room: add room, one of ${rooms.join(", ")}.`,
      { rooms },
    );
  }
  if (typeof args.room !== "string")
    throw new Refusal("BAD_INPUT", `${action.name}: room must be a string.`, { known: Object.keys(fields(action)) });
  if (args.room !== serverRoom && (caller.rooms.has(args.room) || "room" in action.input)) return args.room;
  if (actsEverywhere(caller.actor) && args.room !== serverRoom && nameWord.safeParse(args.room).success)
    return args.room;
  throw new Refusal(
    "FORBIDDEN",
    rooms.length ? `You are not in that room; yours: ${rooms.join(", ")}.` : "You are in no room yet: join_room one.",
    { rooms },
  );
}

/** Whether this kind and role may call the action at all; answers the caller's role in the room. */
export function may(caller: Caller, action: AnyAction, room: string): Role {
  const { kind, serverRole } = caller.actor;
  const role = roleIn(caller, room);
  const grant: readonly string[] = action.may;
  const allowed =
    kind === "local"
      ? grant.includes("local")
      : (serverRole === "owner" && (grant.includes("owner") || grant.includes("approver"))) ||
        (role !== undefined && grant.includes(role)) ||
        // Outside any room only the kind counts, unless the action asks for a role in a room.
        (role === undefined && (action.scope === "server" || "room" in action.input) && kindMay(caller, grant));
  if (!allowed)
    throw new Refusal(
      "FORBIDDEN",
      `${action.name} is for ${grant.filter((r) => r !== "local").join(", ") || "the operator"}; you are ${role ?? kind}. Ask one of them.`,
      { next: { call: "list_members" } },
    );
  return role ?? "observer";
}

/** In what stands in no room, a member may what any of its roles may, and what the least of its kind may. */
export function kindMay(caller: Caller, grant: readonly string[]): boolean {
  if (grant.includes(caller.actor.kind === "person" ? "viewer" : "observer")) return true;
  return [...caller.rooms.values()].some((role) => grant.includes(role));
}

/** Looked at again inside the transaction: a kick or a new role that was committed first counts. */
export async function stillMay(
  tx: WriteTx,
  caller: Caller,
  room: string,
  mine: { grant: AnyAction["may"]; name: string },
) {
  const { member, kind, serverRole } = caller.actor;
  if (kind === "local") return;
  if (serverRole === "owner") {
    const row = await tx.db.selectFrom("members").select("server_role").where("name", "=", member).executeTakeFirst();
    if (row?.server_role === "owner") return;
    throw new Refusal("FORBIDDEN", `You are no longer the server's owner; call ${mine.name} again if you still may.`);
  }
  const was = caller.rooms.get(room);
  if (room === serverRoom || was === undefined) return;
  const row = await tx.db
    .selectFrom("memberships")
    .select(["role", "left_at", "kicked_at"])
    .where("room", "=", room)
    .where("member", "=", member)
    .executeTakeFirst();
  if (row && row.left_at === null && row.kicked_at === null && row.role === was) return;
  throw new Refusal("FORBIDDEN", `Your place in ${room} has just changed; call ${mine.name} again if you still may.`);
}
