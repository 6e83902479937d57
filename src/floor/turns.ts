// A turn from its grant to its end, and what an act of a seat does to it.

import { cap, count, isSpent } from "./care.ts";
import { liveSeats, type Moment, mark, standing, tell } from "./moment.ts";
import { waiting } from "./queue.ts";
import type { Ended, Slot, Turn, Why } from "./record.ts";
import { allowance, quietAnswer, turnTime } from "./timing.ts";

export interface Grant {
  why: Why;
  giver?: string | null;
  /** The seat itself called: the turn is held at once, not offered. */
  held?: boolean;
  /** N7: who waited longer is bypassed once. */
  bypasses?: boolean;
}

/** Gives the free floor to `seat`; what it had asked for is thereby served. */
export function grant(m: Moment, seat: string, { why, giver = null, held = false, bypasses = false }: Grant): void {
  const { floor, time } = m;
  const { request, slot } = standing(m, seat);
  if (bypasses)
    for (const [name, { request: other }] of waiting(floor))
      if (name !== seat && other.arrived < (request?.arrived ?? Infinity))
        mark(m, name, { request: { ...other, bypassed: other.bypassed + 1 } });
  const { answer, hold, turn } = allowance(floor.settings, m.members.get(seat));
  const quiet = m.members.get(seat)?.heard !== true;
  const left = slot && why === "resume" ? (slot.left === null ? null : Math.max(slot.left, hold)) : turn;
  const granted: Turn = {
    number: ++floor.turns,
    seat,
    why,
    giver,
    since: m.now,
    start: time,
    answer_by: held ? null : time + (quiet ? Math.min(answer, quietAnswer) : answer),
    speak_by: time + hold,
    end_by: left === null ? null : time + left,
    asks_since: null,
    asked: 0,
    warned: null,
    spoke: 0,
    waited: request ? m.now - request.at : null,
    bypassed: request?.bypassed ?? 0,
  };
  floor.turn = granted;
  const { addressed: _, warned: __, ...rest } = standing(m, seat).news;
  mark(m, seat, { request: null, slot: null, owed: null, news: rest });
  if (standing(m, seat).place !== null) floor.pointer = seat;
  tell(m, "floor.granted", { turn: granted.number, seat, why, giver, offered: !held }, seat);
}

/** Ends the open turn. Who is next is another question. */
export function end(m: Moment, ended: Ended, reason: string | null = null): void {
  const { floor } = m;
  const turn = floor.turn;
  if (!turn) return;
  const { seat, number, spoke } = turn;
  floor.turn = null;
  floor.last = { number, seat, ended, reason, utterances: floor.utterances };
  m.ended.push({ ...turn, ended, ended_at: m.now, reason, utterances: floor.utterances });
  const { warned: _, ...rest } = standing(m, seat).news;
  mark(m, seat, { news: rest });
  tell(m, "floor.ended", { turn: number, seat, ended, spoke }, seat);
  count(m, seat, ended);
  if (ended === "no_answer" || (ended === "waiting_for_person" && turn.answer_by !== null)) missed(m, seat);
  if (ended === "preempted") return;
  if (spoke === 0 && standing(m, seat).place !== null) mark(m, seat, { unspoken: true });
  // A conversation that ends by itself here, or has its last round, is no loop.
  if (!fallQuiet(m) && floor.status !== "closed" && ended !== "closed" && !floor.wrapping && isSpent(floor)) cap(m);
}

/** R12: what an interrupted turn leaves its seat. */
export const slotAfter = (m: Moment, turn: Turn): Slot => ({
  turn: turn.number,
  left: turn.end_by === null ? null : turn.end_by - turnTime(turn, m.time),
});

/** N8: two unanswered offers in a row make it away. It waits for nothing then: it had the floor. */
function missed(m: Moment, seat: string): void {
  const count = standing(m, seat).missed + 1;
  mark(m, seat, { missed: count });
  if (count < 2) return;
  mark(m, seat, { away: true });
  tell(m, "floor.away", { seat }, seat);
}

/** N9: every live seat has ended a turn unspoken since the last utterance; true when it has come to that now. */
function fallQuiet(m: Moment): boolean {
  if (m.floor.quiescent || m.floor.status === "closed") return false;
  const live = liveSeats(m);
  if (live.length === 0 || !live.every((name) => standing(m, name).unspoken)) return false;
  m.floor.quiescent = true;
  m.floor.notices++;
  tell(m, "floor.quiescent");
  return true;
}

/** Any act of a seat in the floor: it is there again, what it was offered it holds, its request lives on. */
export function act(m: Moment, name: string): void {
  const { floor } = m;
  const { missed, away, request } = standing(m, name);
  if (missed > 0) mark(m, name, { missed: 0 });
  if (away) {
    mark(m, name, { away: false });
    tell(m, "floor.returned", { seat: name });
  }
  if (request)
    mark(m, name, {
      request: { ...request, lapses_by: m.time + allowance(floor.settings, m.members.get(name)).request },
    });
  if (floor.turn?.seat === name && floor.turn.answer_by !== null) {
    floor.turn = { ...floor.turn, answer_by: null };
    tell(m, "floor.acknowledged", { turn: floor.turn.number, seat: name });
  }
}

/** R3, R11: a new hold for the holder; the turn limit stays. */
export function renew(m: Moment): void {
  const { turn, settings } = m.floor;
  if (!turn) return;
  const { warned: _, ...rest } = standing(m, turn.seat).news;
  mark(m, turn.seat, { news: rest });
  const now = turnTime(turn, m.time);
  m.floor.turn = { ...turn, speak_by: now + allowance(settings, m.members.get(turn.seat)).hold };
}
