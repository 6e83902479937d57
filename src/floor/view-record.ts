// A floor as the dashboard shows it, and the channels of a room: looks without a caller.

import type { ReadCall } from "../action.ts";
import { lastClosed, openChannels } from "./channels.ts";
import { membersOf } from "./members.ts";
import * as rows from "./rows.ts";
import { settle } from "./settle.ts";
import { shownFloors } from "./shown.ts";

/** The JSON of action `floor` without the caller's view; null when the channel has no floor. */
export async function floorRecord(
  { db, now, room }: Pick<ReadCall, "db" | "now" | "room">,
  channel: string,
): Promise<Record<string, unknown> | null> {
  return (await floorRecords(db, room, [channel], now))[0] ?? null;
}

/** Those of several channels that have a floor, with the same few queries however many they are. */
export async function floorRecords(
  db: ReadCall["db"],
  room: string,
  channels: readonly string[],
  now: number,
): Promise<Array<Record<string, unknown>>> {
  const floors = await rows.findAll(db, room, channels);
  if (floors.length === 0) return [];
  const members = await membersOf(db, room, now);
  return shownFloors(
    { db, room },
    floors.map((floor) => settle(floor, members, now)),
  );
}

/** The floors that are not closed, and the last that were: `limit` of them. */
export async function floorSnapshot(
  db: ReadCall["db"],
  room: string,
  limit: number,
  now: number,
): Promise<Array<Record<string, unknown>>> {
  const channels = [...(await openChannels(db, room)), ...(await lastClosed(db, room, limit))];
  return floorRecords(db, room, channels.sort(), now);
}
