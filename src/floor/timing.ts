// Time on the floor. Deadlines stand in floor time: a service clock that runs with the wall clock while the floor
// is open, stands still in a pause, never goes back, and never runs ahead by more than 5 s between two of its notes,
// so that no jump, suspend or outage costs a holder its turn. People get five times the floor's values.
import type { Ended, Floor, Member, Settings, Turn } from "./record.ts";

/** What of a turn says when it ends by itself. */
export type Deadlines = Pick<Turn, "answer_by" | "speak_by" | "end_by" | "asks_since" | "asked">;
type Pauses = Pick<Settings, "gate_pause_seconds">;
type Lapse = Extract<Ended, "no_answer" | "silent" | "too_long" | "waiting_for_person">;

const seconds = 1000;
/** R10: a seat that is merely quiet has at most this long to answer an offer. */
export const quietAnswer = 30 * seconds;
/** A request is cancelled this long after its seat's last act. */
const requestLife = 15 * 60 * seconds;
const longestWarning = 30 * seconds;

/** T3: the most that the clock goes on from one note to the next. */
const longestStride = 5 * seconds;

/** The clock as it stands at `now`. */
export function clockAt({ clock, status }: Pick<Floor, "clock" | "status">, now: number): Floor["clock"] {
  const passed = status === "open" ? Math.min(Math.max(0, now - clock.wall), longestStride) : 0;
  return { wall: now, time: clock.time + passed };
}

export interface Allowance {
  answer: number;
  hold: number;
  /** null: no limit. */
  turn: number | null;
  request: number;
}

/** What a member has by the floor's settings (ms). */
export function allowance(settings: Settings, member: Member | undefined): Allowance {
  const each = (member?.person ? 5 : 1) * seconds;
  const hold = settings.hold_seconds * each;
  return {
    answer: Math.min(settings.ack_seconds * each, hold),
    hold,
    turn: settings.max_turn_seconds === 0 ? null : settings.max_turn_seconds * each,
    request: member?.person ? 5 * requestLife : requestLife,
  };
}

/** How long the gates of a holder may stop its turn, all together (ms). */
export const gatePause = (settings: Pauses): number => settings.gate_pause_seconds * seconds;

/** The time that counts for a turn's own deadlines: it stands still while a gate of the holder is pending (R20). */
export const turnTime = (turn: Turn, time: number): number => turn.asks_since ?? time;

/** The nearest deadline of a turn and what passes with it. */
export function lapseOf(turn: Deadlines, settings: Pauses): { by: number; ended: Lapse } {
  if (turn.asks_since !== null)
    return { by: turn.asks_since + gatePause(settings) - turn.asked, ended: "waiting_for_person" };
  if (turn.answer_by !== null && turn.answer_by <= turn.speak_by && turn.answer_by <= (turn.end_by ?? Infinity))
    return { by: turn.answer_by, ended: "no_answer" };
  if (turn.end_by !== null && turn.end_by < turn.speak_by) return { by: turn.end_by, ended: "too_long" };
  return { by: turn.speak_by, ended: "silent" };
}

/** When the holder is to be warned of the nearest deadline; null when it was, or when it waits for a person. */
export function warningOf(turn: Turn, settings: Settings, hold: number): number | null {
  const { by } = lapseOf(turn, settings);
  if (turn.warned === by || turn.asks_since !== null) return null;
  // A short offer is not warned of at its very beginning.
  return by - Math.floor(Math.min(longestWarning, hold / 4, (by - turn.start) / 2));
}

/** The nearest moment at which the floor changes by itself (floor time), or null. */
export function nextChange(floor: Floor, member: (name: string) => Member | undefined): number | null {
  if (floor.status !== "open") return null;
  const moments: number[] = [];
  if (floor.turn) {
    moments.push(lapseOf(floor.turn, floor.settings).by);
    const { hold } = allowance(floor.settings, member(floor.turn.seat));
    const warning = warningOf(floor.turn, floor.settings, hold);
    if (warning !== null) moments.push(warning);
  }
  for (const { request } of floor.standings.values()) if (request) moments.push(request.lapses_by);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** A floor time on the wall clock (ms), if nothing stops the floor's time until then. */
export const onTheWall = ({ clock }: Floor, time: number): number => clock.wall + time - clock.time;

/** The same for others to read; in a pause nobody knows. */
export const shown = (floor: Floor, time: number | null): string | null =>
  time === null || floor.status === "paused" ? null : new Date(onTheWall(floor, time)).toISOString();
