// What goes over a dashboard's socket, in pieces: a page on a slow line sees a sign of life in each of them, and a
// long message does not look like a dead line.
import type { Result } from "../../action.ts";

/** Bytes of a frame. At 16 kbit/s it still arrives within the silence after which a page gives a socket up. */
export const frameBytes = 16 * 1024;

/**
 * The frames of one message: as it is where it fits, or each with a sign before it, `>` where more follows and `.` at
 * the end. No character is parted.
 */
export function framesOf(message: Buffer): Buffer[] {
  if (message.length <= frameBytes) return [message];
  const frames: Buffer[] = [];
  for (let from = 0; from < message.length; ) {
    let to = Math.min(from + frameBytes - 1, message.length);
    // A byte that goes on a character begins with the bits 10.
    while (to < message.length && ((message[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    frames.push(Buffer.concat([Buffer.from(to < message.length ? ">" : "."), message.subarray(from, to)]));
    from = to;
  }
  return frames;
}

/** A room's snapshot as messages in the order in which they are needed: cards that wait, other cards, tasks, history. */
export function partsOf(room: string, now: number, seq: number, snapshot: Result): Result[] {
  const { tasks, facts, left, ...rest } = snapshot;
  const gates = snapshot.gates as Result[];
  const waits = (gate: Result) => gate.status === "pending";
  const first = { ...rest, gates: gates.filter(waits), tasks: [], facts: [] };
  const settled = gates.filter((gate) => !waits(gate));
  return [
    { type: "room", room, now, seq, snapshot: first, more: true },
    ...(settled.length > 0 ? [{ type: "part", room, gates: settled }] : []),
    ...((tasks as Result[]).length > 0 ? [{ type: "part", room, tasks }] : []),
    { type: "part", room, facts, left, last: true },
  ];
}
