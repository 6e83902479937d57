// Who is next: the one successor rule (N1–N9).

import { hasVoice, isLive, isOperator, type Moment, mark, news, order, standing, tell } from "./moment.ts";
import { enqueue, interrupted, queue, saturated, waiting } from "./queue.ts";
import { type Grant, grant } from "./turns.ts";

/** A pass: by whom, and to whom ("" nobody, undefined: whoever is next). */
export interface Pass {
  by: string;
  to?: string | undefined;
}

/** Gives the free floor to who is next, if anybody. In a pause a named pass is kept for the resume; where the turn
 * that ended paused the floor, all of it is. */
export function succeed(m: Moment, pass: Pass | null = null, rotates = true): void {
  const { floor } = m;
  if (floor.turn || floor.status === "closed") return;
  const named = pass?.to || null;
  if (floor.status === "paused") {
    if (floor.capped || named !== null)
      floor.handover = { by: pass?.by ?? null, to: pass?.to ?? null, rotates: floor.capped && rotates };
    return;
  }
  if (pass && named !== null && mayBeNext(m, named) && nameNext(m, pass.by, named)) return;

  const turn = nextOf(m, pass, rotates);
  if (turn) grant(m, turn.seat, turn.how);
}

/** N2–N6 in their order. */
function nextOf(m: Moment, pass: Pass | null, rotates: boolean): { seat: string; how: Grant } | null {
  const { floor } = m;
  const resumed = interrupted(floor).find((seat) => mayBeNext(m, seat));
  if (resumed !== undefined) return { seat: resumed, how: { why: "resume", giver: floor.last?.seat ?? null } };
  if (floor.mode === "moderated") return null;
  const first = queue(floor).find(({ seat }) => mayBeNext(m, seat));
  if (first) return { seat: first.seat, how: { why: "queue", giver: first.request.addressed_by, bypasses: true } };
  if (!rotates || floor.wrapping || pass?.to === "" || floor.quiescent) return null;
  const after = rotationFrom(m, pass);
  const next = after === undefined ? undefined : nextLive(m, after);
  return next === undefined ? null : { seat: next, how: { why: "rotation", giver: pass?.by ?? null } };
}

/** N8: the away are skipped until they act. */
const mayBeNext = (m: Moment, name: string): boolean => hasVoice(m, name) && !standing(m, name).away;

/** N1: true when the named seat has the floor; otherwise it was queued as addressed. */
function nameNext(m: Moment, by: string, to: string): boolean {
  const trusted = isOperator(m, by);
  const { request, slot } = standing(m, to);
  if (m.floor.wrapping && !request && !slot) return false;
  const free =
    interrupted(m.floor).every((seat) => seat === to) &&
    waiting(m.floor).every(([seat, { request }]) => seat === to || !saturated(m.floor, request));
  if (trusted || (m.floor.mode !== "moderated" && free)) {
    grant(m, to, { why: "pass", giver: by, bypasses: !trusted });
    return true;
  }
  address(m, by, to);
  return false;
}

/** Queues a named seat as addressed; what it waits for already keeps its place. */
export function address(m: Moment, by: string, to: string): void {
  const { request, slot } = standing(m, to);
  if (request) mark(m, to, { request: { ...request, addressed_by: by } });
  else if (!slot) enqueue(m, to, { addressed_by: by });
  news(m, to, { addressed: { by } });
  tell(m, "floor.addressed", { seat: to, by }, to);
}

/** N6: after whom the order goes on; undefined when it does not. */
function rotationFrom(m: Moment, pass: Pass | null): string | null | undefined {
  if (m.floor.mode === "round_robin") return m.floor.pointer;
  return pass && standing(m, pass.by).place !== null ? pass.by : undefined;
}

/** The next live seat after `name` in the order, never `name` itself. */
function nextLive(m: Moment, name: string | null): string | undefined {
  const seats = order(m.floor);
  const at = name === null ? -1 : seats.indexOf(name);
  return [...seats.slice(at + 1), ...seats.slice(0, Math.max(at, 0))].find((seat) => isLive(m, seat));
}
