// Reads only what happened (and who was in the room), and judges whether the floor kept its promises.
import { expect } from "vitest";
import type { Member } from "../../src/floor/record.ts";
import type { Told } from "./stage.ts";

interface Waiter {
  arrived: number;
  bypassed: number;
  /** Turns begun since it began to wait, and how many there may be; null once operators or the room meddled. */
  turns: number;
  bound: number | null;
}

export interface Audit {
  read(fact: Told, members: ReadonlyMap<string, Member>): void;
  /** Remembers what bound the floor tells a waiting seat. */
  promised(seat: string, atMost: number | null): void;
  /** The room or an operator changed something: bounds no longer bind. */
  meddled(): void;
}

export function auditor(maxBypass: number): Audit {
  let open: { number: number; seat: string; why: string } | null = null;
  let turns = 0;
  let utterances = 0;
  let named: string[] = [];
  let closed = true;
  let arrivals = 0;
  const waiters = new Map<string, Waiter>();
  /** Interrupted seats, the last last. */
  let slots: Array<{ seat: string; turn: number }> = [];

  const isOperator = (name: string | null, members: ReadonlyMap<string, Member>): boolean => {
    const member = name === null ? undefined : members.get(name);
    if (!member || name === null) return false;
    return member.rank === "operator" || (member.rank === "speaker" && named.includes(name));
  };

  function granted({ data }: Told, members: ReadonlyMap<string, Member>): void {
    const { turn, seat, why, giver } = data as { turn: number; seat: string; why: string; giver: string | null };
    expect(open, `S1: turn ${turn} while another is open`).toBeNull();
    expect(closed, `S9: turn ${turn} on a closed floor`).toBe(false);
    expect(turn, "S3").toBe(++turns);
    const byRule = why === "queue" || why === "rotation" || (why === "pass" && !isOperator(giver, members));
    if (byRule && slots.some((slot) => slot.seat !== seat))
      expect.fail(`L6: ${seat} before the interrupted ${slots.map((slot) => slot.seat)}`);
    const latest = Math.max(...slots.map((slot) => slot.turn));
    if (why === "resume") expect(slots, "N2: the last interrupted first").toContainEqual({ seat, turn: latest });
    const mine = waiters.get(seat);
    if (mine && mine.bound !== null)
      expect(mine.turns, `N7: the bound told to ${seat}`).toBeLessThanOrEqual(mine.bound);
    waiters.delete(seat);
    slots = slots.filter((slot) => slot.seat !== seat);
    for (const [name, waiter] of waiters) {
      waiter.turns++;
      if (!byRule || waiter.arrived > (mine?.arrived ?? Infinity)) continue;
      waiter.bypassed++;
      expect(waiter.bypassed, `L4: ${name} bypassed by ${seat}`).toBeLessThanOrEqual(maxBypass);
    }
    open = { number: turn, seat, why };
  }

  function ended({ data }: Told): void {
    const { turn, seat, ended } = data as { turn: number; seat: string; ended: string };
    expect(open, `S1: turn ${turn} ended`).toMatchObject({ number: turn, seat });
    if (ended === "preempted" && open?.why !== "take") slots.push({ seat, turn });
    open = null;
  }

  function said(fact: Told, members: ReadonlyMap<string, Member>): void {
    const { utterance, turn, kind } = fact.data as { utterance: number; turn: number | null; kind: string };
    expect(utterance, "S10").toBe(++utterances);
    if (turn === null) {
      expect(kind).toBe("interjection");
      expect(isOperator(fact.member, members), `S4: ${fact.member} between turns`).toBe(true);
    } else {
      expect(kind).toBe("speech");
      expect(open, `S4: utterance ${utterance} of ${fact.member}`).toMatchObject({ number: turn, seat: fact.member });
    }
  }

  return {
    read(fact, members) {
      const seat = fact.data.seat as string;
      switch (fact.what) {
        case "floor.granted":
          granted(fact, members);
          break;
        case "floor.ended":
          ended(fact);
          break;
        case "floor.said":
          said(fact, members);
          break;
        case "floor.requested":
        case "floor.addressed":
          if (!waiters.has(seat) && !slots.some((slot) => slot.seat === seat))
            waiters.set(seat, { arrived: ++arrivals, bypassed: 0, turns: 0, bound: null });
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
          break;
        case "floor.opened":
        case "floor.changed":
          closed = false;
          named = fact.data.operators as string[];
          break;
        case "floor.closed":
          closed = true;
          waiters.clear();
          slots = [];
          break;
        default:
      }
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
