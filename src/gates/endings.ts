// What ends gates without a person's answer: their deadline, and the end of what they were about.
import type { WriteCall } from "../action.ts";
import type { Awake } from "../awake.ts";
import type { Store } from "../store/port.ts";
import * as rows from "./rows.ts";
import { clientsReturnWithin, type Gate, settle, withdraw } from "./rules.ts";

/** How soon to look again while it is made up for a standstill (ms). */
const soon = 1000;

/** Ends what is past a deadline in this room: expired, or its client is gone (G19); the next deadline (ms) or null. */
export const settleGates =
  (awake: Awake) =>
  async (call: WriteCall): Promise<number | null> => {
    const still = awake.stillSince(call.now) !== null;
    for (const row of await rows.pastDeadline(call.db, call.room, call.now)) {
      const gate = settle(row, call.now);
      // Nobody could call: first its client has time to come back (`waitForClients`).
      if (still && gate.status === "withdrawn") continue;
      await rows.put(call.db, gate);
      call.fact({
        action: `gate.${gate.status}`,
        subject: `gate:${gate.id}`,
        to: gate.asked_by,
        member: null,
        data: { kind: gate.kind },
      });
    }
    return still ? call.now + soon : rows.nextDeadline(call.db, call.room);
  };

/** Withdraws the pending ones of these, with the reason; who waits for them is told. */
export async function withdrawAll(call: WriteCall, gates: readonly Gate[], reason: string): Promise<void> {
  for (const was of gates) {
    const gate = withdraw(was, reason, call.now);
    if (gate === was || gate.status !== "withdrawn") continue;
    await rows.put(call.db, gate);
    call.fact({
      action: "gate.withdrawn",
      subject: `gate:${gate.id}`,
      to: gate.asked_by,
      data: { kind: gate.kind },
    });
  }
}

/** A server starts or ends: clients that wait for their cards find them when it is back (G19). No fact: presence. */
export async function waitForClients(store: Store, now: number): Promise<void> {
  for (const room of await store.read(rows.roomsOfClients))
    await store.write(room, ({ db }) => rows.waitForClients(db, room, now + clientsReturnWithin));
}

/** Its task is over. */
export async function withdrawOfTask(call: WriteCall, task: number, reason: string): Promise<void> {
  await withdrawAll(call, await rows.pendingOfTask(call.db, call.room, task), reason);
}

/** Its asker is no longer here. */
export async function withdrawOfMember(call: WriteCall, member: string, reason: string): Promise<void> {
  await withdrawAll(call, await rows.pendingOf(call.db, member, call.room), reason);
}
