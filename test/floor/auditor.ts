// Reads only what happened (and who was in the room), and judges whether the floor kept its promises.
import type { Member } from "../../src/floor/record.ts";
import { must } from "./must.ts";

/** A fact as the log has it. */
export interface Fact {
  what: string;
  member: string | null;
  data: Readonly<Record<string, unknown>>;
}

interface Waiter {
  arrived: number;
  urgency: number;
  /** By a pass: it stays as urgent as high. */
  addressed: boolean;
  bypassed: number;
  /** Turns begun since it began to wait, and how many there may be; null once operators or the room meddled. */
  turns: number;
  bound: number | null;
}

export interface Audit {
  read(fact: Fact, members: ReadonlyMap<string, Member>): void;
  /** After all facts of one call: nothing is left undone. */
  rest(): void;
  /** Remembers what bound the floor tells a waiting seat. */
  promised(seat: string, atMost: number | null): void;
  /** The room or an operator changed something: bounds no longer bind. */
  meddled(): void;
}

const urgencies = ["low", "normal", "high"];

/** @param maxAgentTurns so many turns and interjections of agents there may be between two words of persons; 0: any */
export function auditor(maxBypass: number, maxAgentTurns = 0): Audit {
  let open: { number: number; seat: string; why: string } | null = null;
  let turns = 0;
  let utterances = 0;
  let named: string[] = [];
  let seated: string[] = [];
  let mode = "open";
  let status = "closed";
  let arrivals = 0;
  /** Of agents, since a person had a word; and whether each seat has its last turn. */
  let talk = 0;
  let wrapping = false;
  /** The conversation had ended by itself, and nobody has spoken since. */
  let unspoken = false;
  const waiters = new Map<string, Waiter>();
  /** Interrupted seats, the last last. */
  let slots: Array<{ seat: string; turn: number }> = [];

  const isOperator = (name: string | null, members: ReadonlyMap<string, Member>): boolean => {
    const member = name === null ? undefined : members.get(name);
    if (!member || name === null) return false;
    return member.rank === "operator" || (member.rank === "speaker" && named.includes(name));
  };

  const isPerson = (name: string | null, members: ReadonlyMap<string, Member>): boolean =>
    name !== null && members.get(name)?.person === true;
  const talked = (name: string | null, members: ReadonlyMap<string, Member>): void => {
    talk = isPerson(name, members) ? talk : talk + 1;
  };

  /** N4: who of those that wait is first. */
  function first(): string | undefined {
    const rank = ({ bypassed, urgency, addressed }: Waiter) =>
      bypassed >= maxBypass ? urgencies.length : addressed ? urgencies.indexOf("high") : urgency;
    return [...waiters].sort(([, a], [, b]) => rank(b) - rank(a) || a.arrived - b.arrived)[0]?.[0];
  }

  function granted({ data }: Fact, members: ReadonlyMap<string, Member>): void {
    const { turn, seat, why, giver } = data as { turn: number; seat: string; why: string; giver: string | null };
    must(open === null, `S1: turn ${turn} while ${open?.number} is open`);
    must(status === "open", `S9, R16: turn ${turn} on a floor that is ${status}`);
    must(turn === ++turns, `S3: turn ${turn} after ${turns - 1}`);
    const rank = members.get(seat)?.rank ?? "listener";
    const hasVoice = rank !== "listener" && (seated.includes(seat) || isOperator(seat, members));
    must(hasVoice, `S2: turn ${turn} is given to ${seat}, who has no voice`);
    const byRule = why === "queue" || why === "rotation" || (why === "pass" && !isOperator(giver, members));
    const others = slots.filter((slot) => slot.seat !== seat);
    must(!byRule || others.length === 0, `L6: ${seat} before the interrupted ${others.map((slot) => slot.seat)}`);
    if (why === "resume") must(slots.at(-1)?.seat === seat, `N2: ${seat} is not the last interrupted`);
    if (why === "queue") must(first() === seat, `N4: ${seat} before ${first()}`);
    if (why === "rotation") must(waiters.size === 0, `N4, N6: ${seat} by rotation before ${[...waiters.keys()]}`);
    const mine = waiters.get(seat);
    if (mine && mine.bound !== null) must(mine.turns <= mine.bound, `N7: the bound told to ${seat}`);
    waiters.delete(seat);
    slots = others;
    for (const [name, waiter] of waiters) {
      waiter.turns++;
      if (!byRule || waiter.arrived > (mine?.arrived ?? Infinity)) continue;
      must(++waiter.bypassed <= maxBypass, `L4: ${name} bypassed by ${seat}`);
    }
    // Where all had ended a turn unspoken, one more is granted before the floor waits for a person.
    const given = isPerson(seat, members) || isPerson(giver, members) || wrapping || unspoken;
    must(maxAgentTurns === 0 || given || talk < maxAgentTurns, `R21: turn ${turn} after ${talk} turns of agents`);
    open = { number: turn, seat, why };
  }

  function ended({ data }: Fact, members: ReadonlyMap<string, Member>): void {
    const { turn, seat, ended } = data as { turn: number; seat: string; ended: string };
    must(open?.number === turn && open.seat === seat, `S1: turn ${turn} of ${seat} ended, and was not open`);
    if (ended === "preempted" && open?.why !== "take") slots.push({ seat, turn });
    open = null;
    if (ended !== "no_answer") talked(seat, members);
  }

  function said(fact: Fact, members: ReadonlyMap<string, Member>): void {
    const { utterance, turn, kind } = fact.data as { utterance: number; turn: number | null; kind: string };
    must(utterance === ++utterances, `S10: utterance ${utterance} after ${utterances - 1}`);
    must(kind === (turn === null ? "interjection" : "speech"), `R7: ${utterance} is ${kind}`);
    if (isPerson(fact.member, members)) talk = 0;
    else if (turn === null) {
      must(maxAgentTurns === 0 || wrapping || talk < maxAgentTurns || unspoken, `R21: words after ${talk} turns`);
      talked(fact.member, members);
    }
    unspoken = false;
    if (turn === null) must(isOperator(fact.member, members), `S4: ${fact.member} between turns`);
    else must(open?.number === turn && open.seat === fact.member, `S4: utterance ${utterance} of ${fact.member}`);
  }

  function waits(seat: string, change: { urgency: number } | { addressed: true }): void {
    if (slots.some((slot) => slot.seat === seat)) return;
    const was = waiters.get(seat) ?? {
      arrived: ++arrivals,
      urgency: 1,
      addressed: false,
      bypassed: 0,
      turns: 0,
      bound: null,
    };
    waiters.set(seat, { ...was, ...change });
  }

  return {
    read(fact, members) {
      const seat = fact.data.seat as string;
      switch (fact.what) {
        case "floor.granted":
          granted(fact, members);
          break;
        case "floor.ended":
          ended(fact, members);
          break;
        case "floor.said":
          said(fact, members);
          break;
        case "floor.requested":
          must(open?.seat !== seat && !slots.some((slot) => slot.seat === seat), `S6: ${seat} waits twice`);
          waits(seat, { urgency: urgencies.indexOf(fact.data.urgency as string) });
          break;
        case "floor.addressed":
          waits(seat, { addressed: true });
          break;
        case "floor.withdrawn":
        case "floor.request_lapsed":
        case "floor.denied":
        case "floor.away":
          waiters.delete(seat);
          if (fact.what === "floor.withdrawn") slots = slots.filter((slot) => slot.seat !== seat);
          break;
        case "floor.slot_given":
          waiters.delete(seat);
          slots.push({ seat, turn: fact.data.turn as number });
          slots.sort((a, b) => a.turn - b.turn);
          break;
        case "floor.opened":
        case "floor.changed":
          if (fact.what === "floor.opened") status = "open";
          named = fact.data.operators as string[];
          seated = fact.data.seats as string[];
          mode = fact.data.mode as string;
          if (isPerson(fact.member, members)) {
            talk = 0;
            wrapping = false;
          }
          break;
        case "floor.quiescent":
          unspoken = true;
          break;
        case "floor.wrapping_up":
          wrapping = true;
          talk = 0;
          break;
        case "floor.paused":
        case "floor.capped":
          status = "paused";
          break;
        case "floor.resumed":
          status = "open";
          if (isPerson(fact.member, members)) talk = 0;
          break;
        case "floor.closed":
          wrapping = false;
          must(open === null, "S9: closed with a turn open");
          status = "closed";
          waiters.clear();
          slots = [];
          break;
        default:
      }
    },
    rest() {
      const free = status === "open" && mode !== "moderated" && open === null;
      must(!free || waiters.size + slots.length === 0, `S8: the floor is free, and there wait ${[...waiters.keys()]}`);
    },
    promised(seat, atMost) {
      const waiter = waiters.get(seat);
      if (waiter && waiter.bound === null && atMost !== null) {
        waiter.bound = atMost;
        // The open turn is counted among them.
        waiter.turns = open ? 1 : 0;
      }
    },
    meddled() {
      for (const waiter of waiters.values()) {
        waiter.bound = null;
        waiter.turns = 0;
      }
    },
  };
}
