// One feed a watched room: reads each new fact once, with the records it changed, and hands the same bytes to
// everybody who watches. While somebody watches, what falls due in the room is settled.
import type { Logger } from "pino";
import { sleepUntil } from "../../clock.ts";
import { factsAfter } from "../../log.ts";
import { localOperator } from "../../members/caller.ts";
import { changesOf, privateTo } from "../../stream/changes.ts";
import type { Table } from "../../table.ts";

interface Watcher {
  member: string;
  /** Number of the last fact it has. */
  seq: number;
  send(bytes: Buffer): void;
  /** The room was made anew under its name: nothing that was sent of it holds any more. */
  anew(): void;
}

export interface Feeds {
  watch(room: string, watcher: Watcher): () => void;
  close(): Promise<void>;
}

/** Facts of one message at most; whoever is further behind gets the room anew. */
const page = 200;

export const bytesOf = (message: unknown): Buffer => Buffer.from(JSON.stringify(message));

export function openFeeds(table: Table, log: Logger): Feeds {
  const feeds = new Map<string, ReturnType<typeof openFeed>>();

  function openFeed(room: string) {
    const watchers = new Set<Watcher>();
    const over = new AbortController();
    const listener = table.ring.listen([room], table.clock.after);
    let seq: number | null = null;
    let made: number | null = null;

    /** Sends what is new; the room's next deadline (ms) or null. */
    async function turn(): Promise<number | null> {
      const now = table.clock.now();
      const state = await table.store.read((db) =>
        db.selectFrom("rooms").select(["facts", "due", "created_at"]).where("name", "=", room).executeTakeFirst(),
      );
      if (!state) return null;
      if (state.due !== null && state.due <= now) {
        await table.write(localOperator, room, async () => {});
        return now;
      }
      made ??= state.created_at;
      if (state.created_at !== made) {
        made = state.created_at;
        seq = null;
        for (const watcher of [...watchers]) watcher.anew();
        return state.due;
      }
      seq ??= Math.min(state.facts, ...[...watchers].map((watcher) => watcher.seq));
      while (seq < state.facts) {
        const from: number = seq;
        const facts = await table.store.read((db) => factsAfter(db, room, from, page));
        const last = facts.at(-1);
        if (!last) break;
        const shared = await table.store.read((db) =>
          changesOf(
            db,
            room,
            facts.filter((fact) => !privateTo(fact)),
            null,
            now,
          ),
        );
        const bytes = bytesOf({ type: "facts", room, seq: last.seq, now, ...shared });
        for (const watcher of watchers) {
          // Who is further behind has come meanwhile: its turn is next.
          if (watcher.seq >= last.seq || watcher.seq < from) continue;
          const own = facts.filter((fact) => fact.seq > watcher.seq);
          const personal = own.length < facts.length || own.some((fact) => isEnd(fact, watcher.member));
          if (!personal) watcher.send(bytes);
          else {
            const visible = own.filter((fact) => !privateTo(fact) || isEnd(fact, watcher.member));
            const changes = await table.store.read((db) => changesOf(db, room, visible, watcher.member, now));
            watcher.send(bytesOf({ type: "facts", room, seq: last.seq, now, ...changes }));
          }
          watcher.seq = last.seq;
        }
        seq = Math.min(last.seq, ...[...watchers].map((watcher) => watcher.seq));
      }
      return state.due;
    }

    const running = (async () => {
      while (!over.signal.aborted) {
        let due: number | null = null;
        try {
          due = await turn();
        } catch (error) {
          if (over.signal.aborted) return;
          log.error({ err: error, room }, "the feed of a room stumbled; it looks again");
          due = table.clock.now() + 1000;
        }
        await listener.rest(sleepUntil(table.clock, due), over.signal);
      }
    })();

    return {
      watchers,
      wake: () => table.ring.wake(room),
      /** Someone with an older number has come. */
      rewind(to: number) {
        if (seq !== null && to < seq) seq = to;
      },
      async close() {
        over.abort();
        await running;
        listener.close();
      },
    };
  }

  return {
    watch(room, watcher) {
      let feed = feeds.get(room);
      if (!feed) {
        feed = openFeed(room);
        feeds.set(room, feed);
      }
      const mine = feed;
      mine.watchers.add(watcher);
      mine.rewind(watcher.seq);
      mine.wake();
      return () => {
        mine.watchers.delete(watcher);
        if (mine.watchers.size > 0 || feeds.get(room) !== mine) return;
        feeds.delete(room);
        void mine.close();
      };
    },
    async close() {
      await Promise.all([...feeds.values()].map((feed) => feed.close()));
      feeds.clear();
    },
  };
}

/** A private fact of which this member is one end. */
const isEnd = (fact: { member: string | null; addressee: string | null; subject: string }, member: string): boolean =>
  privateTo(fact) && (fact.member === member || fact.addressee === member);
