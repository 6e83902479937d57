// One dashboard's socket: hello with the session's secret, then facts as they are committed and actions as they
// are asked for. Everything it shows has been committed.
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Config } from "../../config.ts";
import { roleIn } from "../../may.ts";
import { callerAgain, callerOfSession } from "../../members/caller.ts";
import { version } from "../../package.ts";
import { Refusal } from "../../refusal.ts";
import { roomsFor, snapshotOf } from "../../stream/snapshot.ts";
import type { Table } from "../../table.ts";
import { refusalOf } from "../answer.ts";
import type { CookieFor } from "../cookie.ts";
import { cookieOf } from "../credential.ts";
import { meOf } from "../session.ts";
import { bytesOf, type Feeds } from "./feed.ts";
import { keepUp, type Seat } from "./keep.ts";
import { helloIn, type Later, laterIn, messageIn } from "./messages.ts";
import { framesOf, partsOf } from "./pieces.ts";

/** Further behind than this, the room is sent anew. */
const tooFar = 500;
/** Bytes that may lie unsent: who takes less up is gone or comes back for the room anew. */
const tooFull = 4 << 20;
/** Messages that may wait their turn, and actions that may be under way: a page never comes near it. */
const tooMany = 200;
/** How long a socket may be without hello (ms). */
const patience = 10_000;

export interface LiveParts {
  table: Table;
  feeds: Feeds;
  config: Config;
  log: Logger;
  cookieAt: CookieFor;
}

/** Serves one socket; resolves once it is closed and nothing of it listens any more. */
export async function serveSocket(socket: WebSocket, req: IncomingMessage, parts: LiveParts): Promise<void> {
  const { table, feeds, config, log } = parts;
  const over = new AbortController();
  const send = (message: unknown) => sendBytes(bytesOf(message));
  const sendBytes = (bytes: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > tooFull) socket.terminate();
    else for (const frame of framesOf(bytes)) socket.send(frame, { binary: false });
  };
  let unwatch: (() => void) | null = null;
  const seat: Seat = { caller: null, watched: null, lost: null, send, end, leave, anew };
  /** Messages of one socket are handled one after the other, but actions at once. */
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  let acting = 0;
  let ending = false;
  /** Number of the last wish to see a room: an older one that still waits is not looked at any more. */
  let wishes = 0;
  let keeping: Promise<void> | undefined;

  const unhurry = table.clock.after(patience, () => {
    if (!seat.caller) end("no hello came", 4400);
  });
  socket.on("error", () => socket.terminate());
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      unhurry();
      over.abort();
      unwatch?.();
      resolve();
    });
  });
  socket.on("message", (data, binary) => {
    if (ending) return;
    if (waiting + acting >= tooMany) return end("too many messages at once", 4429);
    const message = binary ? null : messageIn(String(data));
    if (laterIn(message)?.type === "watch") wishes += 1;
    const wish = wishes;
    take(() => handle(message, wish));
  });

  /** One after the other. */
  function take(work: () => Promise<void> | undefined): void {
    waiting += 1;
    queue = queue
      .then(() => (ending ? undefined : work()))
      .catch(failed)
      .finally(() => {
        waiting -= 1;
      });
  }

  function failed(error: unknown): void {
    log.error({ err: error }, "a dashboard's message failed");
    end("internal error", 1011);
  }

  function end(reason: string, code: number): void {
    if (ending) return;
    ending = true;
    send({ type: "ended", reason });
    socket.close(code, reason.slice(0, 100));
  }

  async function handle(message: unknown, wish: number): Promise<void> {
    if (!seat.caller) return greet(message);
    const asked = laterIn(message);
    if (!asked) return end("a message that is not understood", 4400);
    if (asked.type === "ping") send({ type: "pong", t: asked.t, now: table.clock.now() });
    else if (asked.type === "do") void act(asked).catch(failed);
    else if (wish === wishes) await watch(asked.room, asked.since);
  }

  async function greet(message: unknown): Promise<void> {
    const asked = helloIn(message);
    const cookie = cookieOf(req, parts.cookieAt(req).name);
    if (!asked || cookie === undefined) return end("sign in first", 4401);
    const session = await table.store.read((db) => callerOfSession(db, cookie));
    if (!session?.knows(asked.secret)) return end("sign in first", 4401);
    seat.caller = session.caller;
    const rooms = await table.store.read((db) => roomsFor(db, session.caller, table.clock.now()));
    send({
      type: "welcome",
      now: table.clock.now(),
      server: { name: config.name, version },
      me: meOf(session.caller),
      rooms,
    });
    keeping = keepUp(table, seat, session.caller, rooms, over.signal).catch((error) => {
      if (over.signal.aborted) return;
      log.error({ err: error }, "a dashboard could not be kept up to date");
      end("internal error", 1011);
    });
    const wanted = asked.watch;
    const room = rooms.find((r) => r.room === wanted)?.room ?? rooms[0]?.room;
    if (room !== undefined) await watch(room as string, asked.since?.[room as string]);
  }

  async function watch(room: string, since: number | undefined, isNew = false): Promise<void> {
    const was = seat.caller;
    // As they are in their rooms now: they may have come into this one a moment ago.
    const who = was && (await table.store.read((db) => callerAgain(db, was)));
    if (!who || !(await table.store.read((db) => roomsFor(db, who, table.clock.now()))).some((r) => r.room === room))
      return;
    if (!seat.caller) return;
    seat.caller = who;
    leave();
    seat.lost = null;
    let seq = since;
    const last = await table.store.read((db) =>
      db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirst(),
    );
    if (seq === undefined || !last || seq > last.facts || last.facts - seq > tooFar) {
      const snapshot = await table.store.read((db) => snapshotOf(db, room, who, table.clock.now()));
      seq = snapshot.seq;
      for (const part of partsOf(room, table.clock.now(), seq, snapshot.snapshot))
        send(isNew && part.type === "room" ? { ...part, anew: true } : part);
    }
    // Gone, or kicked out meanwhile.
    if (over.signal.aborted || !seat.caller || roleIn(seat.caller, room) === undefined) return;
    seat.watched = room;
    unwatch = feeds.watch(room, { member: who.actor.member, seq, send: sendBytes, anew: () => anew(room) });
  }

  function anew(room: string): void {
    take(() => (room === (seat.watched ?? seat.lost) ? watch(room, undefined, true) : undefined));
  }

  function leave(): void {
    unwatch?.();
    unwatch = null;
    seat.watched = null;
  }

  async function act({ id, action, args }: Later & { type: "do" }): Promise<void> {
    acting += 1;
    try {
      const was = seat.caller;
      const again = was && (await table.store.read((db) => callerAgain(db, was)));
      if (!again) throw new Refusal("UNAUTHENTICATED", "You were signed out; sign in again by a link.");
      const answer = await table.perform(again, action, args, { signal: over.signal });
      send({ type: "done", id, result: answer.result });
      answer.written().catch((error) => log.error({ err: error }, "could not note a hand-over"));
    } catch (error) {
      send({ type: "refused", id, error: refusalOf(error, log) });
    } finally {
      acting -= 1;
    }
  }

  await closed;
  await queue;
  await keeping;
}
