// What a member's other calls tell it of its floors: the inbox line (M5), and `whoami`.
import type { Db } from "../store/port.ts";
import * as rows from "./rows.ts";

/** Floors where it is the member's turn, or where it was not told yet what was said to it. */
export async function floorInbox(db: Db, member: string, now: number): Promise<Array<Record<string, unknown>>> {
  const standings = await rows.standingsOf(db, member);
  return standings.flatMap(({ room, channel, news, status, due, turn }) => {
    // Past the floor's deadline nobody knows before it is settled.
    const mine = turn !== null && status === "open" && (due === null || due > now);
    const { addressed, denied, warned } = news;
    if (status === "closed" || (!mine && !addressed && !denied)) return [];
    return [
      {
        room,
        channel,
        ...(mine && { turn, your_turn: true, ...(warned === turn && { warned: true }) }),
        ...(addressed && { addressed: true, by: addressed.by }),
        ...(denied && { denied: true, by: denied.by, reason: denied.reason }),
        next: { call: mine ? "say" : "wait_for_floor" },
      },
    ];
  });
}

/** The floors that a member has a part in. */
export async function floorsOfMember(db: Db, member: string): Promise<Array<Record<string, unknown>>> {
  const standings = await rows.standingsOf(db, member);
  return standings
    .filter(
      ({ status, place, turn, arrived, slot_turn }) =>
        status !== "closed" && (place ?? turn ?? arrived ?? slot_turn) !== null,
    )
    .map(({ room, channel, status, place, turn, arrived, slot_turn }) => ({
      room,
      channel,
      status,
      seat: place !== null,
      holds: turn !== null,
      ...(turn !== null && { turn }),
      ...((arrived !== null || slot_turn !== null) && { queued: true }),
    }));
}
