// Who waits, in which order, and how many turns at most until each speaks.
import { type Moment, mark } from "./moment.ts";
import type { Floor, Request, Slot, Urgency } from "./record.ts";
import { allowance } from "./timing.ts";

const weight: Record<Urgency, number> = { low: 0, normal: 1, high: 2 };
const weightOf = (request: Request): number => (request.addressed_by !== null ? weight.high : weight[request.urgency]);

/** Puts a seat at the end of the queue; its number there. */
export function enqueue(
  m: Moment,
  name: string,
  asked: Partial<Pick<Request, "urgency" | "purpose" | "addressed_by">> = {},
): number {
  const arrived = ++m.floor.arrivals;
  const request: Request = {
    arrived,
    at: m.now,
    urgency: "normal",
    purpose: "",
    addressed_by: null,
    bypassed: 0,
    lapses_by: m.time + allowance(m.floor.settings, m.members.get(name)).request,
    ...asked,
  };
  mark(m, name, { request });
  return arrived;
}

/** N1: it was bypassed as often as may be. */
export const saturated = (floor: Floor, request: Request): boolean => request.bypassed >= floor.settings.max_bypass;

/** Everybody with a request, by arrival. */
export const waiting = (floor: Floor): Array<[name: string, standing: { request: Request }]> =>
  [...floor.standings]
    .flatMap(([name, { request }]): Array<[string, { request: Request }]> => (request ? [[name, { request }]] : []))
    .sort(([, a], [, b]) => a.request.arrived - b.request.arrived);

/** N4: saturated requests first by arrival, then by urgency, then by arrival. */
export function queue(floor: Floor): Array<{ seat: string; request: Request }> {
  const rank = (request: Request) => (saturated(floor, request) ? 3 : weightOf(request));
  return waiting(floor)
    .map(([seat, { request }]) => ({ seat, request }))
    .sort((a, b) => rank(b.request) - rank(a.request) || a.request.arrived - b.request.arrived);
}

/** N2: interrupted seats, the last interrupted first. */
export const interrupted = (floor: Floor): string[] =>
  [...floor.standings]
    .flatMap(([seat, { slot }]): Array<{ seat: string; slot: Slot }> => (slot ? [{ seat, slot }] : []))
    .sort((a, b) => b.slot.turn - a.slot.turn)
    .map(({ seat }) => seat);

export interface Wait {
  seat: string;
  position: number;
  /** Operators apart, the seat speaks after at most so many turns, the open one counted; null where operators grant. */
  at_most_turns: number | null;
}

/** N7: everybody who waits, next first, with place and bound. */
export function waits(floor: Floor): Wait[] {
  const slots = interrupted(floor);
  const asks = queue(floor);
  const resuming = slots.map((seat, index) => ({ seat, position: index + 1, at_most_turns: index + 1 }));
  const asking = asks.map(({ seat, request }, index) => {
    // Who came earlier may come to be ahead once bypassed, though less urgent now.
    const earlier = asks.slice(index).filter((other) => other.request.arrived < request.arrived).length;
    const ahead = slots.length + index;
    const bound = ahead + earlier + 1 + floor.settings.max_bypass;
    return { seat, position: ahead + 1, at_most_turns: floor.mode === "moderated" ? null : bound };
  });
  return [...resuming, ...asking];
}

/** The place of one who waits; null for who waits for nothing. */
export const waitOf = (floor: Floor, name: string): Wait | null =>
  waits(floor).find(({ seat }) => seat === name) ?? null;
