// What a socket keeps up to date beside the facts of its room: looked at again at every ring, until it is over.
import type { Result } from "../../action.ts";
import { roleIn } from "../../may.ts";
import { type Caller, callerAgain } from "../../members/caller.ts";
import { serverRoom } from "../../members/rules.ts";
import { noticesFor } from "../../members/signin.ts";
import { rosterNow } from "../../stream/roster.ts";
import { roomsFor } from "../../stream/snapshot.ts";
import type { Table } from "../../table.ts";

/** A signed-in socket, as those see it who keep it up to date. */
export interface Seat {
  /** As it was last found; null once the session has ended. */
  caller: Caller | null;
  /** The room that is shown. */
  watched: string | null;
  /** The room that was shown until its person was no longer in it. */
  lost: string | null;
  send(message: unknown): void;
  end(reason: string, code: number): void;
  /** Shows no room any more. */
  leave(): void;
  /** Shows a room from the beginning. */
  anew(room: string): void;
}

interface Kept {
  /** Full keys whose rings lead to a new look; may change with what `look` finds. */
  keys: () => readonly string[];
  look: () => Promise<void>;
  /** Looked at again after this many ms without a ring, too. */
  every?: number;
}

/** How often presence is looked at (ms). */
const presenceEvery = 10_000;

async function keep({ ring, clock }: Table, over: AbortSignal, { keys, look, every }: Kept): Promise<void> {
  let heard = keys();
  let listener = ring.listen(heard, clock.after);
  try {
    while (!over.aborted) {
      await look();
      const wanted = keys();
      if (wanted.join("\n") === heard.join("\n")) await listener.rest(every ?? null, over);
      else {
        // Looked at again at once, now that it is listened to.
        listener.close();
        heard = wanted;
        listener = ring.listen(heard, clock.after);
      }
    }
  } finally {
    listener.close();
  }
}

/** G18: the session ends within a second of its revocation, and a room within a second of a kick. */
function session(table: Table, seat: Seat, { actor }: Caller): Kept {
  return {
    keys: () => [`${serverRoom}/${actor.credential}`, `${serverRoom}/member:${actor.member}`, `@${actor.member}`],
    async look() {
      const was = seat.caller;
      seat.caller = was && (await table.store.read((db) => callerAgain(db, was)));
      if (!seat.caller) seat.end("signed out", 4401);
      else if (seat.watched !== null && roleIn(seat.caller, seat.watched) === undefined) {
        seat.lost = seat.watched;
        seat.leave();
      }
    },
  };
}

/** Badges of all rooms, and who is there in the one that is watched. */
function badges(table: Table, seat: Seat, { actor }: Caller, told: Result[]): Kept {
  let rooms = told;
  let roster = "";
  return {
    keys: () => [
      `${serverRoom}/room`,
      `@${actor.member}`,
      ...rooms.flatMap(({ room }) => [`${room}/gate`, `${room}/member`, `${room}/room`]),
    ],
    every: presenceEvery,
    async look() {
      const now = table.clock.now();
      const { caller, watched: room } = seat;
      if (caller) await table.here(caller);
      const seen = await table.store.read(async (db) => {
        const who = caller && (await callerAgain(db, caller));
        return who && { rooms: await roomsFor(db, who, now), members: room && (await rosterNow(db, room, now)) };
      });
      if (!seen) return;
      if (JSON.stringify(seen.rooms) !== JSON.stringify(rooms)) seat.send({ type: "rooms", rooms: seen.rooms });
      rooms = seen.rooms;
      // Back in it, or it was made anew under its name.
      const back = rooms.find((one) => one.room === seat.lost);
      if (back) seat.anew(back.room as string);
      const there = JSON.stringify(seen.members);
      if (seen.members && there !== roster) seat.send({ type: "members", room, members: seen.members });
      roster = there;
    },
  };
}

/** G4: what the command line makes for people is told as it happens. */
function notices(table: Table, seat: Seat, { actor }: Caller): Kept {
  let shown = "[]";
  return {
    keys: () => ["link", "token", "member"].map((kind) => `${serverRoom}/${kind}`),
    async look() {
      const now = await table.store.read((db) => noticesFor(db, actor.member));
      if (JSON.stringify(now) !== shown) seat.send({ type: "notices", notices: now });
      shown = JSON.stringify(now);
    },
  };
}

/** Keeps all of it, until `over`; `rooms`: as the socket was welcomed with. */
export async function keepUp(
  table: Table,
  seat: Seat,
  caller: Caller,
  rooms: Result[],
  over: AbortSignal,
): Promise<void> {
  const all = [session(table, seat, caller), badges(table, seat, caller, rooms), notices(table, seat, caller)];
  await Promise.all(all.map((kept) => keep(table, over, kept)));
}
