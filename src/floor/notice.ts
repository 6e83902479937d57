// What a waiting seat should know: its turn, or once each what was said to it or happened to all (R17).
import { type Moment, mark, standing, tell } from "./moment.ts";
import { type Floor, type News, outside, type Turn } from "./record.ts";
import { mustBeThere } from "./refuse.ts";
import { act } from "./turns.ts";

export type Heard =
  | { what: "your_turn"; turn: Turn; warned: boolean }
  | { what: "closed" | "paused" | "quiescent" | "opened" }
  | { what: "denied"; by: string; reason: string }
  | { what: "addressed"; by: string };

/** Whether there is something to hear; needs of the standings only the seat's own, and may be asked unsettled. */
export function stirs(floor: Floor, who: string): boolean {
  const { told, news } = floor.standings.get(who) ?? outside;
  if (floor.turn?.seat === who && floor.status === "open") return true;
  if (news.denied || news.addressed || news.opened) return true;
  return told < floor.notices && noticeOf(floor) !== null;
}

/** True if this seat of the order can only be told notices to all: it has no turn, no request and no news of its own. */
export function isIdle(floor: Floor, who: string): boolean {
  const { place, request, missed, away, news } = floor.standings.get(who) ?? outside;
  const told = news.denied || news.addressed || news.opened;
  return place !== null && !request && missed === 0 && !away && floor.turn?.seat !== who && !told;
}

/** The notice to all that is still true. */
export const noticeOf = (floor: Floor): "closed" | "paused" | "quiescent" | null =>
  floor.status !== "open" ? floor.status : floor.quiescent ? "quiescent" : null;

/** A wait is an act; the first of one from outside the order is told, so that it has a standing. */
export function arrive(m: Moment, who: string): void {
  mustBeThere(m, who);
  if (!m.floor.standings.has(who)) {
    mark(m, who, { read: m.floor.utterances });
    tell(m, "floor.arrived", { member: who });
  }
  act(m, who);
}

/** What there is to hear now, most pressing first; it counts as told. */
export function hear(m: Moment, who: string): Heard | null {
  mustBeThere(m, who);
  const { floor } = m;
  if (floor.turn?.seat === who && floor.status === "open") {
    act(m, who);
    const warned = standing(m, who).news.warned !== undefined;
    forget(m, who, "warned");
    mark(m, who, { read: floor.utterances });
    return { what: "your_turn", turn: floor.turn, warned };
  }
  const { told, news } = standing(m, who);
  const notice = told < floor.notices ? noticeOf(floor) : null;
  const personal = news.denied ? "denied" : news.addressed ? "addressed" : news.opened ? "opened" : null;
  if (notice === null && personal === null) return null;
  act(m, who);
  mark(m, who, { read: floor.utterances });
  // That all has come to an end by itself is less pressing than what was said to the seat.
  if (notice && (personal === null || notice !== "quiescent")) {
    mark(m, who, { told: floor.notices });
    return { what: notice };
  }
  forget(m, who, personal ?? "addressed");
  if (news.denied) return { what: "denied", ...news.denied };
  return news.addressed ? { what: "addressed", by: news.addressed.by } : { what: "opened" };
}

function forget(m: Moment, who: string, what: keyof News): void {
  const { [what]: told, ...rest } = standing(m, who).news;
  if (told !== undefined) mark(m, who, { news: rest });
}
