// Loop care without a model: how many turns agents had since a person spoke, and who has most of them.
import { type Moment, order, tell } from "./moment.ts";
import type { Ended, Floor } from "./record.ts";

/** The last turns that are looked at, and the share of them that is too much for one seat. */
const last = 20;
const most = 0.6;

/** Agents have had their turns in this room without a person: this floor waits for one then. 0: never. */
export const isSpent = ({ agent_turns, settings }: Pick<Floor, "agent_turns" | "settings">, more = 0): boolean =>
  settings.max_agent_turns > 0 && agent_turns + more >= settings.max_agent_turns;

/** Counts a turn that has ended. */
export function count(m: Moment, seat: string, ended: Ended): void {
  const { floor } = m;
  if (ended === "no_answer") return;
  countAgent(m, seat);
  floor.recent = [...floor.recent, seat].slice(-last);
  lean(m);
}

/** Counts what an agent had of the room's talk: a turn, or words between turns. */
export function countAgent({ floor, members }: Moment, who: string): void {
  if (members.get(who)?.person !== true) floor.agent_turns++;
}

/** How many turns agents had before a person was asked; a person's word on another floor counts anew meanwhile. */
export const turnsWithoutPerson = ({ agent_turns, capped, settings }: Floor): number =>
  capped ? Math.max(agent_turns, settings.max_agent_turns) : agent_turns;

/** Whether the floor is free and runs, and is to wait for a person before an agent speaks on it. A conversation that
 * ended by itself asks nobody, until somebody speaks. */
export const isDueForPerson = ({ floor }: Pick<Moment, "floor">): boolean =>
  floor.status === "open" && floor.turn === null && !floor.wrapping && !floor.quiescent && isSpent(floor);

/** Tells once when most of the last turns were one seat's. */
function lean(m: Moment): void {
  const { floor } = m;
  const share = leaning(floor);
  if ((share?.seat ?? null) === floor.lopsided) return;
  floor.lopsided = share?.seat ?? null;
  if (share) tell(m, "floor.lopsided", share, share.seat);
}

/** The seat that had more than its share of the last turns, where there are others. */
export function leaning(floor: Floor): { seat: string; turns: number; of: number } | null {
  const { recent } = floor;
  if (recent.length < last || order(floor).length < 2) return null;
  const tally = new Map<string, number>();
  for (const seat of recent) tally.set(seat, (tally.get(seat) ?? 0) + 1);
  const [seat, turns] = [...tally].reduce((a, b) => (b[1] > a[1] ? b : a));
  return turns > most * last ? { seat, turns, of: last } : null;
}

/** The floor stands still until a person says how it goes on. */
export function cap(m: Moment): void {
  const { floor } = m;
  floor.status = "paused";
  floor.capped = true;
  floor.notices++;
  tell(m, "floor.capped", { turns: floor.agent_turns });
}

/** It no longer waits for that. */
export function lift(m: Moment): void {
  if (!m.floor.capped) return;
  m.floor.capped = false;
  tell(m, "floor.cap_lifted");
}
