// Ten thousand random histories of the pure rules, and what must come of them however the rest behaves.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calm, eachWasServed, everyHistory, everyHistoryWith, walk } from "./history.ts";
import { within } from "./often.ts";
import { agent } from "./stage.ts";
import { seats } from "./walk.ts";

describe("random histories", { timeout: within(120_000) }, () => {
  test("S1–S11, L4, L6, N2, N4, N8, R20, R22: whatever seats, operators, the room and the clock do, the invariants hold", () => {
    everyHistory(4000, (history) => void walk(history));
  });

  test("L1, L2, L5: when all fall silent, each turn ends in time, all who wait are served, and the floor ends free", () => {
    everyHistory(2000, (history) => {
      const walked = calm(history);
      const { floor, hand, times } = walked;
      times.evenFrom(floor.now);
      const waited = floor.queue;
      const before = floor.turns.length;
      floor.run((waited.length + seats.length + 2) * 5 * (history[0].hold_seconds + 2));
      hand();
      expect(floor.holder, "L5").toBeNull();
      eachWasServed(walked, waited, before);
    });
  });

  test("L1: who answers but never speaks loses the floor within its hold", () => {
    everyHistory(1200, (history) => {
      const walked = calm(history);
      const { floor, step, hand, times } = walked;
      times.evenFrom(floor.now);
      const waited = floor.queue;
      const before = floor.turns.length;
      for (let turns = 0; turns < waited.length + 2 * seats.length + 2 && floor.turn; turns++) {
        const { number } = floor.turn;
        step({ do: "holder", then: "hear" });
        while (floor.turn?.number === number) floor.run(1);
        hand();
      }
      expect(floor.holder).toBeNull();
      eachWasServed(walked, waited, before);
    });
  });

  test("L3: who keeps the floor for ever loses it at the turn limit", () => {
    everyHistory(1000, ([how, commands]) => {
      const walked = calm([{ ...how, max_turn_seconds: 100 }, commands]);
      const { floor, step, hand, times } = walked;
      times.evenFrom(floor.now);
      const waited = floor.queue;
      const before = floor.turns.length;
      for (let turns = 0; turns < waited.length + 1 && floor.turn; turns++) {
        const { number } = floor.turn;
        while (floor.turn?.number === number) {
          step({ do: "holder", then: "keep" });
          floor.run(7);
        }
        hand();
      }
      eachWasServed(walked, waited, before);
    });
  });

  test("N7, L4: among seats that only pass, everybody who waits speaks within the bound it was told", () => {
    const passes = fc.array(
      fc.tuple(fc.constantFrom("", ...seats, ...seats), fc.constantFrom(...seats), fc.boolean()),
      { minLength: 20, maxLength: 40 },
    );
    everyHistoryWith(800, passes, (history, moves) => {
      const walked = calm(history);
      const { floor, step, times } = walked;
      times.evenFrom(floor.now);
      floor.members.set("p.pia", agent);
      const waited = floor.queue;
      const before = floor.turns.length;
      for (const [to, asks, urgent] of moves) {
        step({ do: "request", who: asks, urgency: urgent ? "high" : "normal" });
        const who = floor.holder;
        if (who !== null) step({ do: "pass", who, to: to === who ? undefined : to });
      }
      eachWasServed(walked, waited, before);
    });
  });

  test("R21: however it came to that, a conversation that is wrapped up gives each one last turn at most and closes", () => {
    everyHistory(500, (history) => {
      const walked = calm(history);
      const { floor, step, hand } = walked;
      floor.open("olga", { seats, max_agent_turns: 3 });
      for (let n = 0; n < 40 && !floor.stored.capped; n++) {
        step({ do: "say", who: floor.holder ?? "ann", turn: "none", pass: { to: undefined } });
        step({ do: "request", who: "bob", urgency: "normal" });
      }
      expect(floor.stored.capped, "R21").toBe(true);
      const before = floor.turns.length;
      const there = seats.filter((name) => floor.stored.standings.get(name)?.away !== true);
      step({ do: "wrap" });
      floor.run(2 * seats.length * 5 * (history[0].hold_seconds + 2));
      hand();
      expect(floor.floor.status).toBe("closed");
      const last = floor.turns.slice(before).map(({ seat }) => seat);
      expect(new Set(last).size, `each once: ${last}`).toBe(last.length);
      expect(last, "R21: who is there").toEqual(expect.arrayContaining(there));
    });
  });

  test("N9: among seats that pass on unspoken, rotation comes to an end by itself", () => {
    everyHistory(500, (history) => {
      const { floor, step } = calm(history);
      for (let i = 0; i < 3 * seats.length + 10 && floor.holder !== null; i++) step({ do: "holder", then: "pass" });
      expect(floor.holder).toBeNull();
    });
  });

  test("T2, T3, L1: a clock that jumps, stops and goes back neither burns the queue nor stops the floor", () => {
    const jumps = fc.array(fc.integer({ min: -4000, max: 9000 }), { minLength: 5, maxLength: 25 });
    everyHistoryWith(1000, jumps, (history, by) => {
      const { floor, step, hand, times } = calm(history);
      for (const seconds of by) {
        const before = floor.floor.turns;
        const time = floor.floor.clock.time;
        floor.jump(seconds);
        expect(floor.floor.turns - before, "T2: one settlement ends one turn").toBeLessThanOrEqual(1);
        const passed = floor.floor.clock.time - time;
        expect(passed, "T3").toBe(Math.min(Math.max(seconds, 0), 5) * 1000);
        step({ do: "hear", who: "ann" });
      }
      times.evenFrom(floor.now);
      floor.run(2500);
      hand();
      expect(floor.holder).toBeNull();
    });
  });
});
