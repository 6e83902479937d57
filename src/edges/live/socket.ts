// One dashboard's socket: hello with the session's secret, then facts as they are committed and actions as they
// are asked for. Everything it shows has been committed.
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Config } from "../../config.ts";
import { type Caller, callerAgain, callerOfSession } from "../../members/caller.ts";
import { serverRoom } from "../../members/rules.ts";
import { version } from "../../package.ts";
import { Refusal } from "../../refusal.ts";
import { rosterNow } from "../../stream/roster.ts";
import { roomsFor, snapshotOf } from "../../stream/snapshot.ts";
import type { Table } from "../../table.ts";
import { refusalOf } from "../answer.ts";
import { cookieOf } from "../credential.ts";
import { meOf } from "../session.ts";
import { bytesOf, type Feeds } from "./feed.ts";

const hello = z.object({
  type: z.literal("hello"),
  secret: z.string(),
  watch: z.string().optional(),
  since: z.record(z.string(), z.number()).optional(),
});
const later = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ping"), t: z.unknown() }),
  z.object({ type: z.literal("watch"), room: z.string(), since: z.number().optional() }),
  z.object({ type: z.literal("do"), id: z.unknown(), action: z.string(), args: z.unknown() }),
]);

/** Further behind than this, the room is sent anew. */
const tooFar = 500;
/** How long a socket may be without hello (ms). */
const patience = 10_000;
/** How often presence is looked at (ms). */
const presenceEvery = 10_000;

export interface LiveParts {
  table: Table;
  feeds: Feeds;
  config: Config;
  log: Logger;
  cookieName: string;
}

export function serveSocket(socket: WebSocket, req: IncomingMessage, parts: LiveParts): void {
  const { table, feeds, config, log } = parts;
  const over = new AbortController();
  const send = (message: unknown) => sendBytes(bytesOf(message));
  const sendBytes = (bytes: Buffer) => {
    if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: false });
  };
  let caller: Caller | null = null;
  let unwatch: (() => void) | null = null;
  let watched: string | null = null;
  /** Messages of one socket are handled one after the other, but actions at once. */
  let queue: Promise<void> = Promise.resolve();

  const unhurry = table.clock.after(patience, () => {
    if (!caller) end("no hello came", 4400);
  });
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    unhurry();
    over.abort();
    unwatch?.();
  });
  socket.on("message", (data, binary) => {
    queue = queue
      .then(() => handle(binary ? null : String(data)))
      .catch((error) => {
        log.error({ err: error }, "a dashboard's message failed");
        end("internal error", 1011);
      });
  });

  function end(reason: string, code: number): void {
    send({ type: "ended", reason });
    socket.close(code, reason.slice(0, 100));
  }

  async function handle(text: string | null): Promise<void> {
    let message: unknown;
    try {
      message = text === null ? null : JSON.parse(text);
    } catch {
      message = null;
    }
    if (!caller) return greet(message);
    const read = later.safeParse(message);
    if (!read.success) return end("a message that is not understood", 4400);
    const asked = read.data;
    if (asked.type === "ping") send({ type: "pong", t: asked.t, now: table.clock.now() });
    else if (asked.type === "watch") await watch(asked.room, asked.since);
    else void act(asked.id, asked.action, asked.args);
  }

  async function greet(message: unknown): Promise<void> {
    const read = hello.safeParse(message);
    const cookie = cookieOf(req, parts.cookieName);
    if (!read.success || cookie === undefined) return end("sign in first", 4401);
    const session = await table.store.read((db) => callerOfSession(db, cookie));
    if (!session?.knows(read.data.secret)) return end("sign in first", 4401);
    caller = session.caller;
    const rooms = await table.store.read((db) => roomsFor(db, session.caller, table.clock.now()));
    send({
      type: "welcome",
      now: table.clock.now(),
      server: { name: config.name, version },
      me: meOf(session.caller),
      rooms,
    });
    void keepRooms();
    void keepSession();
    const wanted = read.data.watch;
    const room = rooms.find((r) => r.room === wanted)?.room ?? rooms[0]?.room;
    if (room !== undefined) await watch(room as string, read.data.since?.[room as string]);
  }

  async function watch(room: string, since: number | undefined): Promise<void> {
    if (!caller) return;
    const who = caller;
    if (!(await table.store.read((db) => roomsFor(db, who, table.clock.now()))).some((r) => r.room === room)) return;
    unwatch?.();
    unwatch = null;
    watched = room;
    let seq = since;
    const last = await table.store.read((db) =>
      db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirst(),
    );
    if (seq === undefined || !last || seq > last.facts || last.facts - seq > tooFar) {
      const snapshot = await table.store.read((db) => snapshotOf(db, room, who, table.clock.now()));
      seq = snapshot.seq;
      send({ type: "room", room, now: table.clock.now(), ...snapshot });
    }
    if (over.signal.aborted) return;
    unwatch = feeds.watch(room, { member: who.actor.member, seq, send: sendBytes });
  }

  async function act(id: unknown, action: string, args: unknown): Promise<void> {
    try {
      const again = caller && (await table.store.read((db) => callerAgain(db, caller as Caller)));
      if (!again) throw new Refusal("UNAUTHENTICATED", "You were signed out; sign in again by a link.");
      caller = again;
      const answer = await table.perform(again, action, args, { signal: over.signal });
      send({ type: "done", id, result: answer.result });
      await answer.written();
    } catch (error) {
      send({ type: "refused", id, error: refusalOf(error, log) });
    }
  }

  /** Badges of all rooms, and who is there in the one that is watched. */
  async function keepRooms(): Promise<void> {
    if (!caller) return;
    const keys = [`${serverRoom}/room`, `@${caller.actor.member}`];
    for (const { room } of await table.store.read((db) => roomsFor(db, caller as Caller, table.clock.now())))
      keys.push(`${room}/gate`, `${room}/member`, `${room}/room`);
    const listener = table.ring.listen(keys, table.clock.after);
    let shown = "";
    let roster = "";
    try {
      while (!over.signal.aborted && caller) {
        const who: Caller = caller;
        const room = watched;
        const now = table.clock.now();
        const rooms = await table.store.read((db) => roomsFor(db, who, now));
        const text = JSON.stringify(rooms);
        if (shown !== "" && text !== shown) send({ type: "rooms", rooms });
        shown = text;
        if (room !== null) {
          const members = await table.store.read((db) => rosterNow(db, room, now));
          const there = JSON.stringify(members);
          if (there !== roster) send({ type: "members", room, members });
          roster = there;
        }
        await listener.rest(presenceEvery, over.signal);
      }
    } catch (error) {
      log.error({ err: error }, "a dashboard's badges failed");
      end("internal error", 1011);
    } finally {
      listener.close();
    }
  }

  /** G18: ends within a second of the session's revocation or the member's removal. */
  async function keepSession(): Promise<void> {
    if (!caller) return;
    const { member, credential } = caller.actor;
    const listener = table.ring.listen(
      [`${serverRoom}/${credential}`, `${serverRoom}/member:${member}`, `@${member}`],
      table.clock.after,
    );
    try {
      while (!over.signal.aborted) {
        await listener.rest(null, over.signal);
        const again = await table.store.read((db) => callerAgain(db, caller as Caller));
        if (!again) return end("signed out", 4401);
        caller = again;
        if (watched !== null && !again.rooms.has(watched) && again.actor.serverRole !== "owner") {
          unwatch?.();
          unwatch = null;
          watched = null;
        }
      }
    } catch (error) {
      log.error({ err: error }, "a dashboard's session check failed");
      end("internal error", 1011);
    } finally {
      listener.close();
    }
  }
}
