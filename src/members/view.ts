// A member as the roster shows it.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import { pendingCounts } from "../gates/rows.ts";
import type { Db } from "../store/port.ts";
import { type MemberRow, memberIn, memberRow, membersIn } from "./rows.ts";
import { heardOf, type Role, stateOf } from "./rules.ts";

/**
 * Whether each of these members will soon read what is meant for it (C4): `{member, state, last_seen}`, where `state` is
 * reachable, asleep (not heard of for 15 minutes, or away) or gone (no longer in the room).
 */
export async function reachabilityOf(
  { db, room, now }: { db: Db; room: string; now: number },
  names: ReadonlyArray<string | null | undefined>,
): Promise<Result[]> {
  const all: Result[] = [];
  for (const name of new Set(names)) {
    if (name === null || name === undefined) continue;
    const row = await memberRow(db, name);
    const owner = row?.server_role === "owner" && row.removed_at === null;
    const here = row && (owner || (await memberIn(db, room, name)));
    const heard = row ? (here ? heardOf(row, now) : row.seen_at) : null;
    const offline = !row || stateOf(row, { asks: false, blocked: false }, now) === "offline";
    const state = !here ? "gone" : offline ? "asleep" : "reachable";
    all.push({ member: name, state, last_seen: heard === null ? null : iso(heard) });
  }
  return all;
}

/** Everybody in a room with the derived state (G13), by name. */
export async function roster(db: Db, room: string, now: number): Promise<Result[]> {
  const counts = await pendingCounts(db, room, now);
  const asks = new Set(counts.filter((c) => c.kind !== "blocker").map((c) => c.asked_by));
  const blocked = new Set(counts.filter((c) => c.kind === "blocker").map((c) => c.asked_by));
  const members = await membersIn(db, room);
  return members.map((m) => memberView(m, { asks: asks.has(m.name), blocked: blocked.has(m.name) }, now));
}

function memberView(
  m: MemberRow & { role: Role; joined_at: number },
  gates: { asks: boolean; blocked: boolean },
  now: number,
): Result {
  const heard = heardOf(m, now);
  return {
    name: m.name,
    kind: m.kind,
    role: m.role,
    ...(m.server_role && { server_role: m.server_role }),
    skills: m.skills,
    ...(m.context_tokens !== null && { context_tokens: m.context_tokens }),
    presence: { status: m.status, ...(m.note && { note: m.note }) },
    state: stateOf(m, gates, now),
    last_seen: heard === null ? null : iso(heard),
    joined_at: iso(m.joined_at),
  };
}
