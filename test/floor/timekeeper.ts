// Judges the time that turns took, by what happened and when alone (L1, L2, L3): none too long, none cut short.
// Only from a moment on from which the clock runs evenly and everything that is due is looked at within the second.

import type { Members, Settings } from "../../src/floor/record.ts";
import { type Allowance, allowance } from "../../src/floor/timing.ts";
import type { Fact } from "./auditor.ts";
import { must } from "./must.ts";

interface Timed {
  number: number;
  has: Allowance;
  resumed: boolean;
  /** Began before the clock ran evenly: how much it had left is not known. */
  before: boolean;
  /** Since the grant, since it was last renewed, since it was offered and not answered, in running time. */
  began: number;
  renewed: number;
  offered: number | null;
}

const second = 1000;

export function timekeeper(settings: Settings) {
  let even = false;
  let turn: Timed | null = null;
  /** Time in which no turn ran: pauses, and gates of the holder. */
  let stood = 0;
  let stopped: number | null = null;
  const reasons = new Set<string>();
  const running = (at: number): number => (stopped ?? at) - stood;

  function stop(why: string, at: number): void {
    reasons.add(why);
    stopped ??= at;
  }
  function goOn(why: string, at: number): void {
    reasons.delete(why);
    if (reasons.size > 0 || stopped === null) return;
    stood += at - stopped;
    stopped = null;
  }

  function ends({ number, has, resumed, before, began, renewed, offered }: Timed, ended: string, at: number): void {
    const now = running(at);
    const most = has.turn === null ? Infinity : Math.max(has.turn, resumed ? has.hold : 0);
    must(now - renewed <= has.hold + second, `L1: turn ${number} was silent for ${now - renewed} ms`);
    must(offered === null || now - offered <= has.answer + second, `L2: turn ${number} was not answered in time`);
    must(now - began <= most + second, `L3: turn ${number} took ${now - began} ms`);
    if (before) return;
    if (ended === "silent") must(now - renewed >= has.hold, `R3: turn ${number} was cut short by silence`);
    if (ended === "no_answer") must(offered !== null, `R17: turn ${number} was answered`);
    if (ended === "no_answer") must(now - began >= Math.min(has.answer, 30 * second), `R10: turn ${number}'s offer`);
    if (ended === "too_long") must(now - began >= (resumed ? has.hold : (has.turn ?? Infinity)), `L3: turn ${number}`);
  }

  return {
    /** From now on the clock runs evenly. */
    evenFrom(at: number): void {
      even = true;
      if (turn) turn = { ...turn, before: true, began: running(at), renewed: running(at) };
      if (turn?.offered != null) turn.offered = running(at);
    },
    read({ what, member, data }: Fact, at: number, members: Members): void {
      const now = running(at);
      switch (what) {
        case "floor.granted": {
          const has = allowance(settings, members.get(data.seat as string));
          const offered = data.offered === true ? now : null;
          const resumed = data.why === "resume";
          turn = { number: data.turn as number, has, resumed, before: false, began: now, renewed: now, offered };
          break;
        }
        case "floor.acknowledged":
          if (turn) turn.offered = null;
          break;
        case "floor.said":
        case "floor.kept":
          if (turn && data.turn === turn.number) turn.renewed = now;
          if (turn && data.turn === turn.number)
            turn.has = { ...turn.has, hold: allowance(settings, members.get(member ?? "")).hold };
          break;
        case "floor.waits_for_person":
          stop("person", at);
          break;
        case "floor.goes_on":
          goOn("person", at);
          break;
        case "floor.paused":
        case "floor.capped":
          stop("pause", at);
          break;
        case "floor.opened":
        case "floor.resumed":
          goOn("pause", at);
          break;
        case "floor.ended":
          if (turn && even) ends(turn, data.ended as string, at);
          turn = null;
          goOn("person", at);
          break;
        default:
      }
    },
  };
}
