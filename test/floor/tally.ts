// What `floor_report` should say of a conversation, counted anew from the log.
import type { Fact } from "./auditor.ts";

interface Share {
  turns: number;
  held: number;
  waited: number[];
  bypassed: number;
  interrupted: number;
  missed: number;
}

export interface Counted {
  turns: number;
  held_s: number;
  waited_p50_s: number | null;
  waited_max_s: number | null;
  bypassed: number;
  interrupted: number;
  missed: number;
}

/** @param operators whose passes, grants and turns bypass nobody */
export function tally(facts: ReadonlyArray<Fact & { at: number }>, operators: readonly string[], now: number) {
  const shares = new Map<string, Share>();
  const waits = new Map<string, { since: number; arrived: number; bypassed: number }>();
  const slots = new Set<string>();
  let arrivals = 0;
  let open: { seat: string; since: number; why: string } | null = null;
  const shareOf = (seat: string): Share => {
    const share = shares.get(seat) ?? { turns: 0, held: 0, waited: [], bypassed: 0, interrupted: 0, missed: 0 };
    shares.set(seat, share);
    return share;
  };
  for (const { what, data, at } of facts) {
    const seat = data.seat as string;
    const begins = what === "floor.requested" || what === "floor.addressed";
    if (begins && !waits.has(seat) && !slots.has(seat))
      waits.set(seat, { since: at, arrived: ++arrivals, bypassed: 0 });
    if (["floor.withdrawn", "floor.request_lapsed", "floor.denied", "floor.slot_given"].includes(what)) {
      waits.delete(seat);
      if (what === "floor.withdrawn") slots.delete(seat);
    }
    if (what === "floor.slot_given") slots.add(seat);
    if (what === "floor.granted") {
      const share = shareOf(seat);
      const mine = waits.get(seat);
      const why = data.why as string;
      share.turns++;
      if (mine) share.waited.push(at - mine.since);
      share.bypassed += mine?.bypassed ?? 0;
      waits.delete(seat);
      slots.delete(seat);
      if (why === "queue" || (why === "pass" && !operators.includes(data.giver as string)))
        for (const other of waits.values()) if (other.arrived < (mine?.arrived ?? Infinity)) other.bypassed++;
      open = { seat, since: at, why };
    }
    if (what === "floor.ended" && open) {
      const share = shareOf(seat);
      if (data.ended !== "no_answer") share.held += at - open.since;
      if (data.ended === "preempted") share.interrupted++;
      if (data.ended === "preempted" && open.why !== "take") slots.add(seat);
      if (data.ended === "no_answer") share.missed++;
      open = null;
    }
  }
  if (open) shareOf(open.seat).held += now - open.since;
  const inSeconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms / 100) / 10);
  return new Map(
    [...shares].map(([seat, { held, waited, ...counts }]): [string, Counted] => {
      const sorted = waited.sort((a, b) => a - b);
      const half = sorted[Math.floor((sorted.length - 1) / 2)];
      return [
        seat,
        {
          ...counts,
          held_s: inSeconds(held) ?? 0,
          waited_p50_s: inSeconds(half),
          waited_max_s: inSeconds(sorted.at(-1)),
        },
      ];
    }),
  );
}
