// An answer is delivered when it is first put into a result for a connection that is there, handed over when the
// connection took it, and acknowledged by the next call (G6). Until then it rides on every result. A result that was
// never written to its connection delivers nothing: the approval in it can be taken back (G17).
import type { ReadCall, Result, WriteCall } from "../action.ts";
import * as deliveries from "./delivery-rows.ts";
import * as rows from "./rows.ts";
import { type Gate, isFinal } from "./rules.ts";
import { told } from "./view.ts";

/** Hand-overs that are being noted down: the next call of that member waits for them. */
const noting = new Map<string, Set<Promise<void>>>();
/** In how many results that are on their way an answer stands, by gate. */
const underWay = new Map<string, number>();

function countUnderWay(ids: readonly string[], by: 1 | -1): void {
  for (const id of ids) {
    const n = (underWay.get(id) ?? 0) + by;
    if (n > 0) underWay.set(id, n);
    else underWay.delete(id);
  }
}

export interface Receiver {
  /** The MCP session that is answered; null: one without a name. */
  session: string | null;
  /** A hook or command, for which this is the end of it: no later call of its own acknowledges. */
  beside?: boolean;
  /** The answer rides on another result. */
  inbox?: boolean;
}

/** Writes in a room as the member whose answers these are. */
export type WriteIn = (room: string, body: (call: WriteCall) => Promise<void>) => Promise<void>;

/**
 * Marks a member's answers as put into a result; when the connection has taken it, as handed over. Answers the gates
 * as they stood when they were marked: until then an approval may have been taken back (G17).
 */
export async function deliver(
  member: string,
  gates: readonly Gate[],
  write: WriteIn,
  written: ReadCall["written"],
  to: Receiver,
): Promise<Gate[]> {
  const stood = new Map<string, Gate>();
  const mine = gates.filter((gate) => isFinal(gate) && gate.asked_by === member && gate.acknowledged_at === null);
  const ids = idsOf(mine);
  countUnderWay(ids, 1);
  for (const [room, ids] of byRoom(mine.filter((gate) => gate.delivered_at === null)))
    await write(room, async (call) => {
      const now = await rows.byIds(call.db, room, ids);
      for (const gate of now) stood.set(gate.id, gate);
      const fresh = now.filter((gate) => gate.delivered_at === null);
      if (fresh.length === 0) return;
      await deliveries.deliver(call.db, idsOf(fresh), call.now);
      for (const gate of fresh) call.fact({ action: "gate.delivered", subject: `gate:${gate.id}` });
    });
  if (mine.length > 0)
    written(
      () => {
        countUnderWay(ids, -1);
        return note(member, mine, write, to);
      },
      () => {
        countUnderWay(ids, -1);
        return takeBack(mine, write);
      },
    );
  return gates.map((gate) => stood.get(gate.id) ?? gate);
}

/** The result was never written: what no other result carries and nobody has had is not delivered after all. */
async function takeBack(gates: readonly Gate[], write: WriteIn): Promise<void> {
  for (const [room, ids] of byRoom(gates))
    await write(room, async (call) => {
      const lost = (await rows.byIds(call.db, room, ids)).filter(
        ({ id, delivered_at, written_at, acknowledged_at }) =>
          delivered_at !== null && written_at === null && acknowledged_at === null && !underWay.has(id),
      );
      if (lost.length === 0) return;
      await deliveries.undeliver(call.db, idsOf(lost));
      for (const gate of lost) call.fact({ action: "gate.not_delivered", subject: `gate:${gate.id}` });
    });
}

async function note(member: string, gates: readonly Gate[], write: WriteIn, to: Receiver): Promise<void> {
  const done = Promise.all(
    [...byRoom(gates)].map(([room, ids]) =>
      write(room, async (call) => {
        const before = await rows.byIds(call.db, room, ids);
        await deliveries.written(call.db, ids, call.now, to.session, to.inbox ?? false);
        if (to.beside) await end(call, ids);
        else if (!to.inbox) await end(call, idsOf(before.filter((gate) => wasHadElsewhere(gate, to.session))));
      }),
    ),
  ).then(() => {});
  const notes = noting.get(member) ?? new Set();
  noting.set(member, notes.add(done));
  await done.finally(() => {
    notes.delete(done);
    if (notes.size === 0) noting.delete(member);
  });
}

/**
 * A call of this member begins: what was handed over to this session before is acknowledged by it. What another session
 * had is not: that process may have died with the answer unused, and this one is told it first. A third session is not,
 * since some clients begin a session for each call.
 */
export async function acknowledge(
  member: string,
  session: string | null,
  unacknowledged: () => Promise<Gate[]>,
  write: WriteIn,
): Promise<void> {
  await Promise.allSettled(noting.get(member) ?? []);
  const handed = (await unacknowledged()).filter(
    ({ written_at, written_to, passed_on_at }) =>
      written_at !== null && (written_to === session || passed_on_at !== null),
  );
  for (const [room, ids] of byRoom(handed)) await write(room, (call) => end(call, ids));
}

/**
 * Another session had this answer before. The second one that asks has it too, and it ends there: otherwise sessions that
 * take turns, or a client that begins one for each call, would be given one approval again and again.
 */
const wasHadElsewhere = ({ written_at, written_to, acknowledged_at }: Gate, session: string | null): boolean =>
  written_at !== null && written_to !== session && acknowledged_at === null;

/** Each answer is acknowledged once, though several calls that began together may all find it handed over. */
async function end(call: WriteCall, handed: readonly string[]): Promise<void> {
  if (handed.length === 0) return;
  const still = (await rows.byIds(call.db, call.room, handed)).filter(
    ({ acknowledged_at }) => acknowledged_at === null,
  );
  const ids = idsOf(still);
  if (ids.length === 0) return;
  await deliveries.acknowledge(call.db, ids, call.now);
  for (const id of ids) underWay.delete(id);
  for (const id of ids) call.fact({ action: "gate.acknowledged", subject: `gate:${id}` });
}

/** The answers that ride on a result until acknowledged; `[]` mostly. */
export async function answered(
  member: string,
  unacknowledged: readonly Gate[],
  write: WriteIn,
  written: ReadCall["written"],
  session: string | null,
): Promise<Result[]> {
  return (await deliver(member, unacknowledged, write, written, { session, inbox: true })).map(told);
}

const idsOf = (gates: readonly Gate[]): string[] => gates.map((gate) => gate.id);

function byRoom(gates: readonly Gate[]): Map<string, string[]> {
  const rooms = new Map<string, string[]>();
  for (const gate of gates) rooms.set(gate.room, [...(rooms.get(gate.room) ?? []), gate.id]);
  return rooms;
}
