// A floor as the dashboard shows it, and the channels of a room: looks without a caller.

import type { ReadCall } from "../action.ts";
import { membersOf } from "./members.ts";
import * as rows from "./rows.ts";
import { settle } from "./settle.ts";
import { shownFloor } from "./shown.ts";

/** The JSON of action `floor` without the caller's view; null when the channel has no floor. */
export async function floorRecord(
  { db, now, room }: Pick<ReadCall, "db" | "now" | "room">,
  channel: string,
): Promise<Record<string, unknown> | null> {
  const floor = await rows.find(db, room, channel);
  return floor ? shownFloor({ db, room }, settle(floor, await membersOf(db, room, now), now), null) : null;
}

/** Those of several channels that have a floor. */
export async function floorRecords(
  db: ReadCall["db"],
  room: string,
  channels: readonly string[],
  now: number,
): Promise<Array<Record<string, unknown>>> {
  const found = await Promise.all(channels.map((channel) => floorRecord({ db, now, room }, channel)));
  return found.filter((floor) => floor !== null);
}
