// Random histories of the pure rules, and what must come of them however the rest behaves.
// A failing history is printed by fast-check with its seed; pin it in `pinned`.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOperator } from "../../src/floor/moment.ts";
import { waits } from "../../src/floor/queue.ts";
import { allowance } from "../../src/floor/timing.ts";
import { auditor } from "./auditor.ts";
import { agent, approver, type Stage } from "./stage.ts";
import { type Command, command, invariants, type Opening, opening, playOut, seats, walkedStage } from "./walk.ts";

type History = [how: Opening, commands: Command[]];

/** Histories that once failed. */
const pinned: History[] = [];

/** What a walk leaves behind: the stage, and the auditor that has read everything so far. */
function walk([how, commands]: History) {
  const floor = walkedStage(how);
  const audit = auditor(how.max_bypass);
  let read = 0;
  const hand = () => {
    for (const fact of floor.log.slice(read)) audit.read(fact, floor.members);
    read = floor.log.length;
  };
  hand();
  const step = (c: Command): void => {
    const meddles = meddling(floor, c);
    playOut(floor, c);
    invariants(floor);
    hand();
    if (meddles) audit.meddled();
    else for (const { seat, at_most_turns } of waits(floor.floor)) audit.promised(seat, at_most_turns);
  };
  for (const c of commands) step(c);
  return { floor, step, hand };
}

/** What operators and the room do, against which no bound holds. */
function meddling(floor: Stage, c: Command): boolean {
  if (
    ["take", "grant", "revoke", "deny", "pause", "resume", "close", "open", "leave", "join", "observe"].includes(c.do)
  )
    return true;
  const { turn } = floor;
  const m = { members: floor.members, floor: floor.floor };
  return turn !== null && isOperator(m, turn.seat) && (c.do === "pass" || c.do === "say");
}

const histories = fc.tuple(opening, fc.array(command, { minLength: 5, maxLength: 60 }));
const check = (runs: number, body: (history: History) => void) =>
  fc.assert(
    fc.property(histories, (history) => body(history as History)),
    { numRuns: runs, examples: pinned.map((history): [History] => [history]) },
  );

/** After any history: everybody there, the floor open and running, nothing moderated. */
function calm(history: History) {
  const walked = walk(history);
  const { floor, step } = walked;
  for (const name of seats) floor.members.set(name, name === "p.pia" ? approver : agent);
  floor.members.set("lea", agent).set("olga", approver);
  const mode = history[0].mode === "moderated" ? "open" : history[0].mode;
  step({ do: "open", who: "olga", seats, mode });
  step({ do: "resume", who: "olga" });
  return walked;
}

/** What a member has on this floor (ms). */
const has = (floor: Stage, name: string) => allowance(floor.stored.settings, floor.members.get(name));

/** The turns that have ended since there were `before` of them. */
const turnsSince = (floor: Stage, before: number) => floor.turns.slice(before);

function eachWasServed(floor: Stage, waited: readonly string[], before: number): void {
  const served = new Set([
    ...turnsSince(floor, before).map(({ seat }) => seat),
    ...floor.facts("request_lapsed").map(({ data }) => data.seat),
  ]);
  for (const name of waited) expect([...served], `L5: ${name} waited`).toContain(name);
}

describe("random histories", () => {
  test("S1–S11, L4, L6: whatever seats, operators, the room and the clock do, the invariants hold", {
    timeout: 60_000,
  }, () => {
    check(400, (history) => void walk(history));
  });

  test("L1, L2, L5: when all fall silent, each turn ends in time, all who wait are served, and the floor ends free", {
    timeout: 60_000,
  }, () => {
    check(40, (history) => {
      const { floor, hand } = calm(history);
      const waited = floor.queue;
      const before = floor.turns.length;
      const held = floor.floor.turns;
      const from = floor.now;
      const longest = waited.length + seats.length + 2;
      floor.run(longest * 5 * (history[0].hold_seconds + 2));
      hand();
      expect(floor.holder, "L5").toBeNull();
      eachWasServed(floor, waited, before);
      for (const turn of turnsSince(floor, before)) {
        const began = Math.max(turn.since, from);
        const { hold, answer } = has(floor, turn.seat);
        const most = turn.number > held ? answer : hold;
        expect(turn.ended_at - began, `L1, L2: turn ${turn.number}`).toBeLessThanOrEqual(most + 1000);
      }
    });
  });

  test("L1: who answers but never speaks loses the floor within its hold", { timeout: 60_000 }, () => {
    check(40, (history) => {
      const { floor, step } = calm(history);
      const waited = floor.queue;
      const before = floor.turns.length;
      const from = floor.now;
      for (let turns = 0; turns < waited.length + 2 * seats.length + 2; turns++) {
        const turn = floor.turn;
        if (!turn) break;
        step({ do: "holder", then: "hear" });
        while (floor.turn?.number === turn.number) floor.run(1);
      }
      expect(floor.holder).toBeNull();
      eachWasServed(floor, waited, before);
      for (const turn of turnsSince(floor, before))
        expect(turn.ended_at - Math.max(turn.since, from), "L1").toBeLessThanOrEqual(has(floor, turn.seat).hold + 1000);
    });
  });

  test("L3: who keeps the floor for ever loses it at the turn limit", { timeout: 60_000 }, () => {
    check(40, ([how, commands]) => {
      const { floor, step } = calm([{ ...how, max_turn_seconds: 100 }, commands]);
      const waited = floor.queue;
      const before = floor.turns.length;
      const from = floor.now;
      for (let turns = 0; turns < waited.length + 1; turns++) {
        const turn = floor.turn;
        while (turn && floor.turn?.number === turn.number) {
          step({ do: "holder", then: "keep" });
          floor.run(5);
        }
      }
      eachWasServed(floor, waited, before);
      for (const turn of turnsSince(floor, before)) {
        const { hold, turn: limit } = has(floor, turn.seat);
        // A seat that was interrupted has at least one hold, whatever was left.
        const most = Math.max(limit ?? Infinity, hold);
        expect(turn.ended_at - Math.max(turn.since, from), "L3").toBeLessThanOrEqual(most + 1000);
      }
    });
  });

  test("N7, L4: among seats that only pass, everybody who waits speaks within the bound it was told", {
    timeout: 60_000,
  }, () => {
    const passes = fc.array(
      fc.tuple(fc.constantFrom("", ...seats, ...seats), fc.constantFrom(...seats), fc.boolean()),
      {
        minLength: 20,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(histories, passes, (history, moves) => {
        const { floor, step } = calm(history as History);
        floor.members.set("p.pia", agent);
        const waited = floor.queue;
        const before = floor.turns.length;
        for (const [to, asks, urgent] of moves) {
          step({ do: "request", who: asks, urgency: urgent ? "high" : "normal" });
          const who = floor.holder;
          if (who !== null) step({ do: "pass", who, to: to === who ? undefined : to });
        }
        eachWasServed(floor, waited, before);
      }),
      { numRuns: 60 },
    );
  });

  test("N9: among seats that pass on unspoken, rotation comes to an end by itself", { timeout: 60_000 }, () => {
    check(40, (history) => {
      const { floor, step } = calm(history);
      for (let i = 0; i < 3 * seats.length + 10 && floor.holder !== null; i++) step({ do: "holder", then: "pass" });
      expect(floor.holder).toBeNull();
    });
  });

  test("T2, T3, L1: a clock that jumps, stops and goes back neither burns the queue nor stops the floor", {
    timeout: 60_000,
  }, () => {
    const jumps = fc.array(fc.integer({ min: -4000, max: 9000 }), { minLength: 5, maxLength: 25 });
    fc.assert(
      fc.property(histories, jumps, (history, by) => {
        const { floor, step } = calm(history as History);
        for (const seconds of by) {
          const before = floor.floor.turns;
          const time = floor.floor.clock.time;
          floor.jump(seconds);
          expect(floor.floor.turns - before, "T2: one settlement ends one turn").toBeLessThanOrEqual(1);
          const passed = floor.floor.clock.time - time;
          expect(passed, "T3").toBe(Math.min(Math.max(seconds, 0), 5) * 1000);
          step({ do: "hear", who: "ann" });
        }
        floor.run(2500);
        expect(floor.holder).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});
