// One writer at a time in a room, one `now`, and everything or nothing: settle what is due, run the body,
// append what it recorded, commit, ring.
import type { AnyAction, NewFact, ReadCall, WriteCall } from "./action.ts";
import type { Clock } from "./clock.ts";
import { newId } from "./ids.ts";
import { append, type Fact } from "./log.ts";
import { roleIn, stillMay } from "./may.ts";
import type { Caller } from "./members/caller.ts";
import { serverRoom } from "./members/rules.ts";
import { Refusal } from "./refusal.ts";
import type { Ring } from "./ring.ts";
import type { Db, Store } from "./store/port.ts";

/** Runs inside each write whose room has something due; returns the next deadline it knows of (ms). */
export type Settle = (call: WriteCall) => Promise<number | null>;

/** Runs after settlement and after the body of each write, in its transaction, with what was recorded: what follows
 * from it elsewhere. */
export type Follow = (call: WriteCall, facts: readonly NewFact[]) => Promise<void>;

export type Write = <T>(
  caller: Caller,
  room: string,
  body: (call: WriteCall) => Promise<T>,
  /** The action that writes: its grant is looked at again inside. Without one, the spine itself writes. */
  mine?: { grant: AnyAction["may"]; name: string },
  written?: ReadCall["written"],
) => Promise<T>;

export function openWriter(
  store: Store,
  ring: Ring,
  clock: Clock,
  settles: readonly Settle[],
  follows: readonly Follow[],
): Write {
  return async (caller, room, body, mine, written = () => {}) => {
    const committed: Array<[string, readonly Fact[]]> = [];
    const outcome = await store.write(room, async (tx) => {
      committed.length = 0;
      const now = clock.now();
      const at = await roomRow(tx.db, room);
      const facts: NewFact[] = [];
      const serverFacts: NewFact[] = [];
      let head = { facts: at.facts, head: at.head };
      let due = at.due;
      const call: WriteCall = {
        db: tx.db,
        now,
        actor: caller.actor,
        room,
        role: roleIn(caller, room) ?? "observer",
        fact: (fact) => void (room === serverRoom ? serverFacts : facts).push(fact),
        serverFact: (fact) => void serverFacts.push(fact),
        due: (when) => {
          if (when !== null && when !== undefined && (due === null || when < due)) due = when;
        },
        id: newId,
        lockServer: async () => {
          if (room !== serverRoom) await tx.lock(serverRoom);
        },
        written,
      };
      const flush = async () => {
        if (facts.length > 0) {
          const done = await append(tx.db, room, now, caller.actor.member || null, head, facts.splice(0));
          head = done.head;
          committed.push([room, done.rows]);
        }
        if (serverFacts.length > 0) {
          if (room !== serverRoom) await tx.lock(serverRoom);
          const server = room === serverRoom ? head : await roomRow(tx.db, serverRoom);
          const done = await append(tx.db, serverRoom, now, caller.actor.member || null, server, serverFacts.splice(0));
          if (room === serverRoom) head = done.head;
          else await tx.db.updateTable("rooms").set(done.head).where("name", "=", serverRoom).execute();
          committed.push([serverRoom, done.rows]);
        }
        if (head.facts !== at.facts || due !== at.due)
          await tx.db
            .updateTable("rooms")
            .set({ ...head, due })
            .where("name", "=", room)
            .execute();
      };

      let settled = false;
      if (due !== null && due <= now) {
        const was = due;
        due = null;
        for (const settle of settles) {
          const next = await settle(call);
          call.due(next);
        }
        for (const follow of follows) await follow(call, facts);
        await flush();
        // A deadline that only moved stays moved too.
        settled = tx.wrote();
        at.facts = head.facts;
        at.due = due;
        if (due !== null && due <= now && due === was)
          throw new Error(`settling ${room} left the deadline ${due} in place`);
      }
      if (settled) await tx.savepoint();
      try {
        if (mine) await stillMay(tx, caller, room, mine);
        const result = await body(call);
        for (const follow of follows) await follow(call, facts);
        const recorded = facts.length + serverFacts.length > 0;
        if (!recorded && tx.wrote())
          throw new Error(`${mine?.name ?? "a write"} changed something and recorded no fact`);
        await flush();
        return { ok: result };
      } catch (error) {
        if (!settled || !(error instanceof Refusal)) throw error;
        // A refused call changes nothing, but what had ended before it stays ended.
        await tx.rollback();
        return { refused: error };
      }
    });
    for (const [where, rows] of committed) ring.committed(where, rows);
    if ("refused" in outcome) throw outcome.refused;
    return outcome.ok;
  };
}

/** @throws a refusal where there is no such room */
export async function roomRow(db: Db, room: string) {
  const row = await db
    .selectFrom("rooms")
    .select(["facts", "head", "due", "trashed_at"])
    .where("name", "=", room)
    .executeTakeFirst();
  if (!row) throw new Refusal("NOT_FOUND", `There is no room called ${room}; list_rooms shows those there are.`);
  return row;
}
