// A floor on a stage: pure rules, time turned by hand, members who come and go. What a refused move leaves is
// what had settled before it.
import { keep, pass, request, withdraw } from "../../src/floor/ask.ts";
import { close, deny, grantTo, type Opening, open, pause, resume, revoke, take } from "../../src/floor/moderate.ts";
import type { Happening, Moment } from "../../src/floor/moment.ts";
import { arrive, hear } from "../../src/floor/notice.ts";
import { waitOf, waits } from "../../src/floor/queue.ts";
import {
  blank,
  type EndedTurn,
  type Floor,
  type Member,
  type Urgency,
  type Utterance,
} from "../../src/floor/record.ts";
import { play, settle } from "../../src/floor/settle.ts";
import { type Known, type Speech, say } from "../../src/floor/speak.ts";
import { goOn } from "../../src/floor/still.ts";
import { clockAt, nextChange, onTheWall } from "../../src/floor/timing.ts";
import { viewOf } from "../../src/floor/view.ts";
import { wrapUp } from "../../src/floor/wrap-up.ts";
import { Refusal } from "../../src/refusal.ts";

export const start = Date.parse("2030-01-01T00:00:00Z");
/** What happened, with when, and a running number as the log would give it. */
type Told = Happening & { at: number };

export const agent: Member = { person: false, rank: "speaker", heard: true, gone: false, asks: false };
const observer: Member = { person: false, rank: "listener", heard: true, gone: false, asks: false };
export const approver: Member = { person: true, rank: "operator", heard: true, gone: false, asks: false };

export type Stage = ReturnType<typeof stage>;

/** Who is in the room; says when that changes. */
function roomOf(changed: () => void): Map<string, Member> {
  const members = new Map<string, Member>();
  const { set } = members;
  members.set = (name, member) => {
    changed();
    return set.call(members, name, member);
  };
  members.delete = (name) => {
    changed();
    return Map.prototype.delete.call(members, name);
  };
  return members;
}

/** `lea` is a lead who opens the floor and stands outside the order; `olga` an approver; the rest are seats. */
export function stage(opening: Partial<Opening> = {}, unopened = false) {
  const seats = opening.seats ?? ["ann", "bob", "cyd"];
  /** How the floor was last found, where nothing has changed since: it is looked at much more often than moved. */
  let last: { m: Moment; now: number } | null = null;
  const members = roomOf(() => {
    last = null;
  });
  for (const name of seats) members.set(name, name.startsWith("p.") ? approver : agent);
  members.set("lea", agent).set("olga", approver).set("obi", observer);
  let floor: Floor = blank("main", start);
  let now = start;
  const log: Told[] = [];
  const turns: EndedTurn[] = [];
  const utterances: Utterance[] = [];

  function keepMoment(m: Moment): void {
    floor = m.floor;
    log.push(...m.happened.map((fact) => ({ ...fact, at: now })));
    turns.push(...m.ended);
    if (m.said) utterances.push(m.said);
  }
  function settled(): Moment {
    if (last?.m.floor === floor && last.now === now) return last.m;
    const m = settle(floor, members, now);
    keepMoment(m);
    last = { m, now };
    return m;
  }
  function move<R>(who: string, how: (m: Moment) => R): R {
    settled();
    const { moment, result } = play(floor, members, now, who, how);
    keepMoment(moment);
    return result;
  }
  function known(who: string, speech: Speech, ifSeen?: number): Known {
    const past = turns.find(({ number, seat }) => number === speech.turn && seat === who) ?? null;
    const newer = ifSeen !== undefined && utterances.some(({ id, speaker }) => id > ifSeen && speaker !== who);
    return { past, unreadAfter: newer ? (ifSeen ?? null) : null };
  }

  const table = {
    members,
    utterances,
    /** Turns that had ended when somebody last looked. */
    endedTurns: turns,
    /** All that happened so far. */
    get log() {
      settled();
      return log;
    },
    /** The turns that have ended. */
    get turns() {
      settled();
      return turns;
    },
    get now() {
      return now;
    },
    get floor() {
      return settled().floor;
    },
    /** The record as stored, without a look at the clock. */
    get stored() {
      return floor;
    },
    set stored(record: Floor) {
      floor = record;
    },
    get holder() {
      return settled().floor.turn?.seat ?? null;
    },
    get turn() {
      return settled().floor.turn;
    },
    get queue() {
      return waits(settled().floor).map(({ seat }) => seat);
    },
    wait: (who: string) => waitOf(settled().floor, who),
    view: (who: string | null = null) => viewOf(settled(), who),
    facts: (what: string) => table.log.filter((fact) => fact.what === `floor.${what}`),
    /** Wall clock of a deadline. */
    wall: (time: number) => onTheWall(floor, time),
    /** Time passes while the store's processes note it each second, and nobody looks. */
    tick(seconds: number) {
      // The clock takes strides of up to 5 s whole (T3): no more notes than these are needed.
      let { clock } = floor;
      for (let left = seconds; left > 0; left -= 5) {
        now += Math.min(left, 5) * 1000;
        clock = clockAt({ clock, status: floor.status }, now);
      }
      floor = { ...floor, clock };
    },
    /** The wall clock jumps, or everything slept: nobody noted anything. */
    jump(seconds: number) {
      now += seconds * 1000;
    },
    /** Time passes, and each thing that comes due is looked at within the second. */
    run(seconds: number) {
      for (let left = seconds; left > 0; ) {
        const next = nextChange(floor, (name) => members.get(name));
        const until = next === null ? left : Math.ceil((next - floor.clock.time) / 1000);
        const step = Math.min(left, Math.max(until, 1));
        table.tick(step);
        left -= step;
        if (next !== null && next <= floor.clock.time) settled();
      }
    },
    set(name: string, change: Partial<Member>) {
      members.set(name, { ...(members.get(name) ?? agent), ...change });
    },
    /** The room changes a member, and its floors hear of it in the same transaction. */
    change(name: string, change: Partial<Member>) {
      table.set(name, change);
      settled();
    },
    leave(name: string) {
      members.delete(name);
      settled();
    },
    move,
    open: (who: string, more: Partial<Opening> = {}) => move(who, (m) => open(m, who, { seats, ...more })),
    say: (who: string, text: string, more: Partial<Speech> & { ifSeen?: number } = {}) => {
      const { ifSeen, ...rest } = more;
      const speech = { text, ...rest };
      return move(who, (m) => say(m, who, speech, known(who, speech, ifSeen)));
    },
    request: (who: string, urgency?: Urgency, purpose?: string) =>
      move(who, (m) => request(m, who, { urgency, purpose })),
    withdraw: (who: string) => move(who, (m) => withdraw(m, who)),
    keep: (who: string) => move(who, (m) => keep(m, who)),
    pass: (who: string, to?: string) => move(who, (m) => pass(m, who, to)),
    take: (who: string) => move(who, (m) => take(m, who)),
    grant: (who: string, seat: string) => move(who, (m) => grantTo(m, who, seat)),
    revoke: (who: string) => move(who, (m) => revoke(m, who, null)),
    deny: (who: string, seat: string, reason = "not now") => move(who, (m) => deny(m, who, seat, reason)),
    pause: (who: string) => move(who, (m) => pause(m, who)),
    resume: (who: string) => move(who, (m) => resume(m, who)),
    /** A person answers that agents, who had too many turns, wrap up. */
    wrap: (who: string) =>
      move(who, (m) => {
        if (!m.floor.capped) return;
        wrapUp(m);
        goOn(m);
      }),
    close: (who: string) => move(who, (m) => close(m, who)),
    /** A wait that begins now, looks once, and ends when there is nothing to hear. */
    hear: (who: string) =>
      move(who, (m) => {
        arrive(m, who);
        return hear(m, who);
      }),
    /** What a wait that is already open would hear. */
    overhear: (who: string) => move(who, (m) => hear(m, who)),
  };
  // Above the usual limit on agents' turns only a person goes.
  const lifted = (opening.max_agent_turns ?? 0) > 60;
  if (!unopened && lifted) table.open("olga", { ...opening, operators: [...(opening.operators ?? []), "lea"] });
  else if (!unopened) table.open("lea", opening);
  return table;
}

/** The refusal that `what` ends in. */
export function refusal(what: () => unknown): Refusal {
  try {
    what();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
