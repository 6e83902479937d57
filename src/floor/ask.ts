// What a seat asks for itself: to speak, not to speak, more time, the next one (R1, R2, R10, R11).
import { cap, isDueForPerson } from "./care.ts";
import { type Moment, mark, standing, tell } from "./moment.ts";
import { decline } from "./questions.ts";
import { enqueue, type Wait, waitOf } from "./queue.ts";
import type { Urgency } from "./record.ts";
import { mustBeOpen, mustBeTarget, mustBeThere, mustHold, mustRun, mustStillCome } from "./refuse.ts";
import { succeed } from "./successor.ts";
import { act, end, grant, renew } from "./turns.ts";

export type Requested = { granted: true } | { granted: false; wait: Wait };

/** R1. What is not given keeps what it was, or the usual. */
export function request(
  m: Moment,
  who: string,
  { purpose, urgency }: { purpose?: string | undefined; urgency?: Urgency | undefined },
): Requested {
  mustBeOpen(m);
  mustBeThere(m, who);
  const { floor } = m;
  act(m, who);
  if (floor.turn?.seat === who) return { granted: true };
  if (isDueForPerson(m) && m.members.get(who)?.person !== true) cap(m);
  const { request: asked, slot } = standing(m, who);
  if (asked) {
    const again = { ...asked, purpose: purpose ?? asked.purpose, urgency: urgency ?? asked.urgency };
    mark(m, who, { request: again });
    if (again.urgency !== asked.urgency || again.purpose !== asked.purpose)
      tell(m, "floor.requested", { seat: who, arrived: asked.arrived, urgency: again.urgency });
  } else if (!slot) {
    mustStillCome(m, who);
    if (floor.status === "open" && floor.mode !== "moderated" && !floor.turn) {
      grant(m, who, { why: "request", held: true });
      return { granted: true };
    }
    const arrived = enqueue(m, who, { urgency: urgency ?? "normal", purpose: purpose ?? "" });
    tell(m, "floor.requested", { seat: who, arrived, urgency: urgency ?? "normal" });
  }
  const wait = waitOf(floor, who);
  return wait ? { granted: false, wait } : { granted: true };
}

/** R2. */
export function withdraw(m: Moment, who: string): void {
  mustBeOpen(m);
  mustBeThere(m, who);
  act(m, who);
  decline(m, who);
  const { request: asked, slot, owed } = standing(m, who);
  if (!asked && !slot && !owed) return;
  mark(m, who, { request: null, slot: null, owed: null });
  tell(m, "floor.withdrawn", { seat: who });
}

/** R11. */
export function keep(m: Moment, who: string): void {
  mustRun(m);
  mustHold(m, who);
  act(m, who);
  renew(m);
  tell(m, "floor.kept", { turn: m.floor.turn?.number, seat: who });
}

/** R10. `to`: a name, "" for nobody, undefined for whoever is next. Answers whom it went past, since nobody is there. */
export function pass(m: Moment, who: string, to?: string): string | null {
  mustBeOpen(m);
  mustHold(m, who);
  if (to) mustBeTarget(m, who, to);
  act(m, who);
  if (m.floor.turn?.spoke === 0) decline(m, who);
  return handOn(m, who, to);
}

/** The holder's turn ends and the next begins. A named seat that is gone is not waited for. */
export function handOn(m: Moment, who: string, to?: string): string | null {
  const gone = to && m.members.get(to)?.gone ? to : null;
  end(m, "passed");
  if (gone !== null) tell(m, "floor.passed_over", { seat: gone, by: who }, gone);
  succeed(m, { by: who, to: gone === null ? to : undefined });
  return gone;
}
