// What has come to pass by itself at a moment (T1, T2, R14, R20): every move and every look settles first.

import { hasVoice, type Moment, mark, momentOf, news, tell } from "./moment.ts";
import { interrupted, waiting } from "./queue.ts";
import type { Floor, Members } from "./record.ts";
import { succeed } from "./successor.ts";
import { allowance, lapseOf, warningOf } from "./timing.ts";
import { end } from "./turns.ts";

/** The floor as it stands at `now`. */
export function settle(floor: Floor, members: Members, now: number): Moment {
  const m = momentOf(floor, members, now);
  depart(m);
  expire(m);
  serve(m);
  warn(m);
  return m;
}

/** A move on the settled floor, by `mover`: the next record, what happened, and the move's own result. */
export function play<R>(
  floor: Floor,
  members: Members,
  now: number,
  mover: string,
  move: (m: Moment) => R,
): { moment: Moment; result: R } {
  const moment = settle(floor, members, now);
  moment.mover = mover;
  const result = move(moment);
  depart(moment);
  serve(moment);
  return { moment, result };
}

/** R14: who has no voice any more neither holds nor waits. */
function depart(m: Moment): void {
  for (const [name, { request, slot }] of m.floor.standings) {
    if ((!request && !slot) || hasVoice(m, name)) continue;
    mark(m, name, { request: null, slot: null });
    tell(m, "floor.withdrawn", { seat: name }, name);
  }
  const seat = m.floor.turn?.seat;
  if (seat === undefined || hasVoice(m, seat)) return;
  end(m, "left");
  succeed(m);
}

/** Ends what is past its deadline, in the order of the deadlines; a successor's turn begins now (T2). */
function expire(m: Moment): void {
  if (m.floor.status !== "open") return;
  for (;;) {
    const turn = m.floor.turn ? lapseOf(m.floor.turn) : null;
    const request = waiting(m.floor)
      .map(([seat, { request }]) => ({ seat, by: request.lapses_by }))
      .sort((a, b) => a.by - b.by)[0];
    if (turn && turn.by <= m.time && turn.by <= (request?.by ?? Infinity)) {
      end(m, turn.ended);
      succeed(m);
    } else if (request && request.by <= m.time) {
      mark(m, request.seat, { request: null });
      tell(m, "floor.request_lapsed", { seat: request.seat }, request.seat);
    } else return;
  }
}

/** S8: on a free, open floor nobody waits who may be served. */
function serve(m: Moment): void {
  const { floor } = m;
  if (floor.status !== "open" || floor.turn) return;
  if (floor.handover) {
    const handover = floor.handover;
    floor.handover = null;
    succeed(m, handover, false);
  } else if (interrupted(floor).length > 0 || waiting(floor).length > 0) succeed(m, null, false);
}

/** Tells the holder, once for each deadline, that it is near. */
function warn(m: Moment): void {
  const { turn, status, settings } = m.floor;
  if (!turn || status !== "open") return;
  const at = warningOf(turn, allowance(settings, m.members.get(turn.seat)).hold);
  if (at === null || m.time < at) return;
  m.floor.turn = { ...turn, warned: lapseOf(turn).by };
  news(m, turn.seat, { warned: turn.number });
  tell(m, "floor.warning", { turn: turn.number, seat: turn.seat }, turn.seat);
}
