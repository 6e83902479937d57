// What has come to pass by itself at a moment (T1, T2, R14, R20): every move and every look settles first.

import { hasVoice, type Moment, mark, momentOf, news, tell } from "./moment.ts";
import { drop } from "./questions.ts";
import { interrupted, waiting } from "./queue.ts";
import type { Ended, Floor, Members, Turn } from "./record.ts";
import { shut } from "./still.ts";
import { succeed } from "./successor.ts";
import { allowance, gatePause, lapseOf, warningOf } from "./timing.ts";
import { end, slotAfter } from "./turns.ts";

/** The floor as it stands at `now`. */
export function settle(floor: Floor, members: Members, now: number): Moment {
  const m = momentOf(floor, members, now);
  depart(m);
  expire(m);
  owe(m);
  serve(m);
  heed(m);
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
  owe(moment);
  serve(moment);
  heed(moment);
  return { moment, result };
}

/** R14: who has no voice any more neither holds nor waits. */
function depart(m: Moment): void {
  drop(m);
  for (const [name, { request, slot, owed, news }] of m.floor.standings) {
    if (hasVoice(m, name)) continue;
    if (Object.keys(news).length > 0) mark(m, name, { news: {} });
    if (!request && !slot && !owed) continue;
    mark(m, name, { request: null, slot: null, owed: null });
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
    const turn = m.floor.turn ? lapseOf(m.floor.turn, m.floor.settings) : null;
    const request = waiting(m.floor)
      .map(([seat, { request }]) => ({ seat, by: request.lapses_by }))
      .sort((a, b) => a.by - b.by)[0];
    if (turn && turn.by <= m.time && turn.by <= (request?.by ?? Infinity)) {
      lapse(m, turn.ended);
      succeed(m);
    } else if (request && request.by <= m.time) {
      mark(m, request.seat, { request: null });
      tell(m, "floor.request_lapsed", { seat: request.seat }, request.seat);
    } else return;
  }
}

/** R20: who lost its turn by waiting for a person has a slot once the person has answered. */
function lapse(m: Moment, ended: Ended): void {
  const { turn } = m.floor;
  end(m, ended);
  if (turn && ended === "waiting_for_person") mark(m, turn.seat, { owed: slotAfter(m, turn) });
}

/** R20: who lost its turn so goes on before the queue, once the person has answered and it does not sleep. */
function owe(m: Moment): void {
  for (const [name, { owed, away }] of m.floor.standings)
    if (owed && !away && m.members.get(name)?.asks !== true) {
      mark(m, name, { owed: null, slot: owed, request: null });
      tell(m, "floor.slot_given", { seat: name, turn: owed.turn }, name);
    }
}

/** R20: a gate of the holder stops its deadlines from now on; answered, they go on with what was left. */
function heed(m: Moment): void {
  const { turn, settings, status } = m.floor;
  if (turn && status !== "closed") {
    const seat = m.members.get(turn.seat);
    // An offer waits only for a seat that is heard of: what one asked that has died since holds nobody up.
    const there = turn.answer_by === null || seat?.heard === true;
    const asks = seat?.asks === true && there && turn.asked < gatePause(settings);
    if (asks && turn.asks_since === null) {
      m.floor.turn = { ...turn, asks_since: m.time };
      tell(m, "floor.waits_for_person", { turn: turn.number, seat: turn.seat });
    } else if (!asks && turn.asks_since !== null) {
      m.floor.turn = goOn(turn, m.time - turn.asks_since);
      tell(m, "floor.goes_on", { turn: turn.number, seat: turn.seat });
    }
  }
}

const goOn = (turn: Turn, stood: number): Turn => ({
  ...turn,
  asks_since: null,
  asked: turn.asked + stood,
  answer_by: turn.answer_by === null ? null : turn.answer_by + stood,
  speak_by: turn.speak_by + stood,
  end_by: turn.end_by === null ? null : turn.end_by + stood,
  warned: turn.warned === null ? null : turn.warned + stood,
});

/** S8: on a free, open floor nobody waits who may be served. */
function serve(m: Moment): void {
  const { floor } = m;
  if (floor.status !== "open" || floor.turn) return;
  if (floor.handover) {
    const { by, to, rotates } = floor.handover;
    floor.handover = null;
    succeed(m, by === null ? null : { by, to: to ?? undefined }, rotates);
  } else if (interrupted(floor).length > 0 || waiting(floor).length > 0) succeed(m, null, false);
  else if (floor.wrapping) shut(m);
}

/** Tells the holder, once for each deadline, that it is near. */
function warn(m: Moment): void {
  const { turn, status, settings } = m.floor;
  if (!turn || status !== "open") return;
  const at = warningOf(turn, settings, allowance(settings, m.members.get(turn.seat)).hold);
  if (at === null || m.time < at) return;
  m.floor.turn = { ...turn, warned: lapseOf(turn, settings).by };
  news(m, turn.seat, { warned: turn.number });
  tell(m, "floor.warning", { turn: turn.number, seat: turn.seat }, turn.seat);
}
