// A move on a stored floor: read, settle, decide, store, record. And what the room's settlement and a
// member's departure do to its floors.

import type { NewFact, ReadCall, WriteCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { lastClosed, openChannels } from "./channels.ts";
import { channelsToHeed, dueChannels, nextDue } from "./due.ts";
import { membersOf } from "./members.ts";
import type { Moment } from "./moment.ts";
import type { Floor } from "./record.ts";
import * as rows from "./rows.ts";
import { play, settle } from "./settle.ts";
import { nextChange, onTheWall } from "./timing.ts";

/** How many closed floors a refusal names beside those that are not. */
const named = 20;

type At = Pick<ReadCall, "db" | "room">;

/** The floor of a channel, or a refusal that names those there are. */
export async function found({ db, room }: At, channel: string): Promise<Floor> {
  const floor = await rows.find(db, room, channel);
  if (floor) return floor;
  const channels = [...(await openChannels(db, room)), ...(await lastClosed(db, room, named))];
  throw new Refusal(
    "NOT_FOUND",
    channels.length
      ? `There is no floor in channel ${channel}; there is one in: ${channels.join(", ")}.`
      : "No floor was opened in this room yet: ask a lead or a person for open_floor, or use post_message.",
    { channels, next: { call: "post_message" } },
  );
}

/** Plays a move of the caller and stores what comes of it. */
export async function moved<R>(
  call: WriteCall,
  before: Floor,
  move: (m: Moment) => R,
): Promise<{ moment: Moment; result: R }> {
  const members = await membersOf(call.db, call.room, call.now);
  const { moment, result } = play(before, members, call.now, call.actor.member, move);
  await keep(call, before, moment);
  return { moment, result };
}

const dueOf = ({ floor, members }: Moment): number | null => {
  const at = nextChange(floor, (name) => members.get(name));
  return at === null ? null : onTheWall(floor, at);
};

async function keep(call: WriteCall, before: Floor, moment: Moment): Promise<number | null> {
  const { floor, ended, said, happened } = moment;
  const due = dueOf(moment);
  await rows.put(call.db, call.room, before, { floor, ended, said, due });
  for (const { what, member, to, data } of happened) {
    const fact: NewFact = { action: what, subject: `floor:${floor.channel}`, to, data: { ...data } };
    call.fact(member === null ? { ...fact, member: null } : fact);
  }
  call.due(due);
  return due;
}

/** Settles these floors, and notes when each changes next. */
async function settleThese(call: WriteCall, channels: Iterable<string>): Promise<void> {
  const members = await membersOf(call.db, call.room, call.now);
  for (const before of await rows.findAll(call.db, call.room, [...channels])) {
    const moment = settle(before, members, call.now);
    await rows.putDue(call.db, call.room, moment.floor, await keep(call, before, moment));
  }
}

/** Settles what is due on the room's floors (T1); the next deadline of any of them (ms), or null. */
export async function settleFloors(call: WriteCall): Promise<number | null> {
  const due = await dueChannels(call.db, call.room, call.now);
  const heed = await channelsToHeed(call.db, call.room, call.now);
  if (due.length + heed.length > 0) await settleThese(call, new Set([...due, ...heed]));
  return nextDue(call.db, call.room);
}

const touching = new Set(["asked", "approved", "denied", "answered", "expired", "withdrawn", "recalled"]);

/** R20: a gate was asked or is over; the floor of its asker stops or goes on in the same transaction. */
export async function gatesTouched(call: WriteCall, facts: readonly NewFact[]): Promise<void> {
  if (!facts.some(({ action }) => action.startsWith("gate.") && touching.has(action.slice(5)))) return;
  const channels = await channelsToHeed(call.db, call.room, call.now);
  if (channels.length > 0) await settleThese(call, new Set(channels));
}

/** R14: a member leaves, is kicked or made observer: from now on it neither holds nor waits in this room. */
export async function floorsGone(call: WriteCall, member: string): Promise<void> {
  const members = new Map(await membersOf(call.db, call.room, call.now));
  members.delete(member);
  // On a closed floor nobody holds or waits; opened again, it settles who has left before anything else.
  for (const before of await rows.findAll(call.db, call.room, await openChannels(call.db, call.room))) {
    const { moment } = play(before, members, call.now, call.actor.member, () => {});
    await keep(call, before, moment);
  }
}
