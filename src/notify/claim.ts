// Taking a notice in hand and laying it down again, each alone in the notice's room: a lease on its row keeps other
// processes off it, and ends by itself where this one dies, so that it is sent again (at least once).
import * as persons from "../gates/people-rows.ts";
import * as gates from "../gates/rows.ts";
import { settle } from "../gates/rules.ts";
import type { Store } from "../store/port.ts";
import { type Letter, letterOf } from "./letter.ts";
import type { Posted } from "./post.ts";
import * as rows from "./rows.ts";
import { type Channel, type Event, step, tryAgain } from "./rules.ts";

/** Longer than a request takes (ms). */
const leaseLife = 30_000;

export interface Claim {
  id: string;
  room: string;
  lease: string;
  event: Event;
  channel: Channel;
  letter: Letter;
  /** As it stood before. */
  maybe: boolean;
}

/** The notice, if it is this process that sends it now; null where there is nothing to send, which is noted. */
export function claim(
  store: Store,
  at: { id: string; room: string },
  { lease, now, address }: { lease: string; now: number; address: string | null },
): Promise<Claim | null> {
  return store.write(at.room, async ({ db }) => {
    const notice = await rows.notice(db, at.id);
    if (!notice || notice.due === null || notice.due > now) return null;
    if (notice.leased_until !== null && notice.leased_until > now) return null;
    const channel = await rows.channel(db, notice.channel_id);
    const row = await gates.find(db, notice.room, notice.gate_id);
    if (!channel || !row) {
      await rows.remove(db, notice.id);
      return null;
    }
    const gate = settle(row, now);
    const next = step(notice, gate, channel, {
      decides: await persons.isDecider(db, notice.room, notice.member),
      snoozed: await rows.snoozedUntil(db, gate.id, notice.member),
      now,
    });
    if ("over" in next) await rows.remove(db, notice.id);
    else if ("wait" in next)
      await rows.change(db, notice.id, { due: next.wait, attempts: 0, trying_since: null, lease: null });
    if (!("send" in next)) return null;
    await rows.change(db, notice.id, {
      lease,
      leased_until: now + leaseLife,
      // From here on it may arrive, whatever becomes of this process.
      maybe: true,
      trying_since: notice.trying_since ?? now,
    });
    const letter = letterOf(notice, gate, next.send, address);
    return { id: notice.id, room: notice.room, lease, event: next.send, channel, letter, maybe: notice.maybe };
  });
}

/** Notes how the sending went, and when to look again. `posted` null: it was broken off, to be sent again. */
export function layDown(
  store: Store,
  held: Claim,
  posted: Posted | null,
  { now, remind }: { now: number; remind: number },
): Promise<void> {
  return store.write(held.room, async ({ db }) => {
    const notice = await rows.notice(db, held.id);
    // Another has taken it since: then how it went is that one's to note.
    if (notice?.lease !== held.lease) return;
    const free = { lease: null, leased_until: null };
    const isLast = held.event === "gate.settled";
    const change = (columns: Parameters<typeof rows.change>[2]) => rows.change(db, held.id, { ...free, ...columns });
    if (!posted) return change({});
    if (posted.accepted && isLast) await rows.remove(db, held.id);
    else if (posted.accepted) {
      // Put aside meanwhile: that stands.
      const put = notice.remind_at !== null && notice.remind_at > now ? notice.remind_at : null;
      const remind_at = put ?? (held.event === "gate.asked" && remind > 0 ? now + remind : null);
      await change({ told_at: notice.told_at ?? now, remind_at, due: now, attempts: 0, trying_since: null });
    } else {
      const maybe = posted.status === null || held.maybe;
      const again = notice.trying_since === null ? now : tryAgain(notice.attempts + 1, notice.trying_since, now);
      // What happened to the gate meanwhile is tried at once, and from the start.
      if (notice.trying_since === null) await change({ maybe });
      else if (again !== null) await change({ maybe, due: again, attempts: notice.attempts + 1 });
      else if (isLast) await rows.remove(db, held.id);
      else {
        const gate = await gates.find(db, held.room, notice.gate_id);
        await change({ maybe, due: gate?.expires_at ?? null, attempts: 0, trying_since: null });
      }
    }
    await rows.setState(db, held.channel.id, now, posted);
  });
}
