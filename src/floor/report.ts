// How a conversation went: who spoke how much, and who waited how long.
import type { Ended } from "./record.ts";

interface TurnPast {
  seat: string;
  since: number;
  ended_at: number | null;
  ended: Ended | null;
  waited: number | null;
  bypassed: number;
}

export interface Share {
  seat: string;
  turns: number;
  characters: number;
  held_s: number;
  /** null: never waited. */
  waited_p50_s: number | null;
  waited_max_s: number | null;
  bypassed: number;
  interrupted: number;
  missed: number;
}

/** An offer that nobody took was not held. */
const held = (turns: readonly TurnPast[], now: number): number =>
  turns
    .filter(({ ended }) => ended !== "no_answer")
    .reduce((sum, { since, ended_at }) => sum + Math.max(0, (ended_at ?? now) - since), 0);

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

/** @param seats the order now; who spoke without a seat follows, by name */
export function report(
  seats: readonly string[],
  turns: readonly TurnPast[],
  characters: ReadonlyMap<string, number>,
  now: number,
): Share[] {
  const others = [...new Set([...turns.map(({ seat }) => seat), ...characters.keys()])];
  const names = [...seats, ...others.filter((name) => !seats.includes(name)).sort()];
  return names.map((seat) => {
    const mine = turns.filter((turn) => turn.seat === seat);
    const waited = mine.flatMap((turn) => (turn.waited === null ? [] : [turn.waited])).sort((a, b) => a - b);
    const half = waited[Math.floor((waited.length - 1) / 2)];
    const longest = waited.at(-1);
    const count = (ended: Ended) => mine.filter((turn) => turn.ended === ended).length;
    return {
      seat,
      turns: mine.length,
      characters: characters.get(seat) ?? 0,
      held_s: inSeconds(held(mine, now)),
      waited_p50_s: half === undefined ? null : inSeconds(half),
      waited_max_s: longest === undefined ? null : inSeconds(longest),
      bypassed: mine.reduce((sum, turn) => sum + turn.bypassed, 0),
      interrupted: count("preempted"),
      missed: count("no_answer"),
    };
  });
}
