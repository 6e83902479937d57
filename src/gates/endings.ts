// What ends gates without a person's answer: their deadline, and the end of what they were about.
import type { WriteCall } from "../action.ts";
import * as rows from "./rows.ts";
import { type Gate, settle, withdraw } from "./rules.ts";

/** Expires what is past its deadline in this room; the next deadline (ms) or null. */
export async function settleGates(call: WriteCall): Promise<number | null> {
  for (const row of await rows.pastDeadline(call.db, call.room, call.now)) {
    const gate = settle(row, call.now);
    await rows.put(call.db, gate);
    call.fact({
      action: "gate.expired",
      subject: `gate:${gate.id}`,
      to: gate.asked_by,
      member: null,
      data: { kind: gate.kind },
    });
  }
  return rows.nextDeadline(call.db, call.room);
}

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

/** Its task is over. */
export async function withdrawOfTask(call: WriteCall, task: number, reason: string): Promise<void> {
  await withdrawAll(call, await rows.pendingOfTask(call.db, call.room, task), reason);
}

/** Its asker is no longer here. */
export async function withdrawOfMember(call: WriteCall, member: string, reason: string): Promise<void> {
  await withdrawAll(call, await rows.pendingOf(call.db, member, call.room), reason);
}
