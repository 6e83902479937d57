// Sends what is due, in `parley serve` alone. Sleeps to the nearest time or to a ring, never in the way of an answer:
// no request is made inside a transaction, and one slow receiver holds up nobody else's notices.
import type { Logger } from "pino";
import { sleepUntil } from "../clock.ts";
import { newId } from "../ids.ts";
import { serverRoom } from "../members/rules.ts";
import type { Listener } from "../ring.ts";
import type { Table } from "../table.ts";
import { claim, layDown } from "./claim.ts";
import { pack } from "./parcel.ts";
import { post } from "./post.ts";
import * as rows from "./rows.ts";

export interface Sending {
  /** Of the dashboard, with a slash at the end. */
  address: string | null;
  /** Until a person is reminded, seconds; 0: never. */
  remind: number;
}

/** At once to one channel, and rows looked at in one turn. */
const abreast = 4;
const page = 1000;
/** How soon to look again after something broke (ms). */
const again = 1000;

export function openSender(table: Table, { address, remind }: Sending, log: Logger): { close(): Promise<void> } {
  const { store, ring, clock } = table;
  const over = new AbortController();
  /** Rung when something was sent: its row says when to look again. */
  const done = `_sent:${newId()}`;
  const sending = new Map<string, Promise<void>>();
  const busy = new Map<string, number>();
  let listener: Listener = ring.listen([serverRoom], clock.after);
  let heard = "";

  /** Rooms come and go; listens to the gates of all there are. */
  async function listen(): Promise<void> {
    const names = await store.read(rows.rooms);
    if (names.join("\n") === heard) return;
    heard = names.join("\n");
    const before = listener;
    listener = ring.listen([serverRoom, done, ...names.map((name) => `${name}/gate`)], clock.after);
    before.close();
  }

  /** Starts what is due; when the next is (ms), or null. */
  async function turn(): Promise<number | null> {
    await listen();
    const now = clock.now();
    let next: number | null = null;
    for (const row of await store.read((db) => rows.waiting(db, page))) {
      const at = Math.max(row.due ?? now, row.leased_until ?? 0);
      if (at > now) next = Math.min(next ?? at, at);
      else if (!sending.has(row.id) && (busy.get(row.channel_id) ?? 0) < abreast) start(row);
    }
    return next;
  }

  function start({ id, room, channel_id }: { id: string; room: string; channel_id: string }): void {
    busy.set(channel_id, (busy.get(channel_id) ?? 0) + 1);
    const ended = () => {
      sending.delete(id);
      busy.set(channel_id, (busy.get(channel_id) ?? 1) - 1);
      ring.wake(done);
    };
    const sent = send(id, room).then(ended, (error) => {
      log.error({ err: error }, "a notice could not be sent; it is looked at again");
      clock.after(again, ended);
    });
    sending.set(id, sent);
  }

  async function send(id: string, room: string): Promise<void> {
    const lease = newId();
    const held = await claim(store, { id, room }, { lease, now: clock.now(), address });
    if (!held) return;
    const posted = await post(pack(held.channel, held.letter, clock.now()), clock, over.signal);
    const brokenOff = !posted.accepted && over.signal.aborted;
    await layDown(store, held, brokenOff ? null : posted, { now: clock.now(), remind: remind * 1000 });
  }

  const running = (async () => {
    while (!over.signal.aborted) {
      let next: number | null = null;
      try {
        next = await turn();
      } catch (error) {
        log.error({ err: error }, "the notices stumbled; they are looked at again");
        next = clock.now() + again;
      }
      // What fell due while it looked is not slept on.
      const wait = sleepUntil(clock, next);
      if (wait !== 0) await listener.rest(wait, over.signal);
    }
  })();

  return {
    async close() {
      over.abort();
      await running;
      await Promise.all(sending.values());
      listener.close();
    },
  };
}
