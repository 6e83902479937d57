import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inFile, inMemory, inPostgres } from "../setup/stores.ts";
import { play } from "../table.ts";
import { deeds, live, type Step } from "./life.ts";

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...deeds),
  who: fc.nat(11),
  which: fc.nat(11),
  how: fc.nat(419),
});

/** What chance reaches too rarely: an approval is taken back before its agent has had it. */
const takenBack = (["ask", "approve", "recall"] as const).map((what): Step => ({ what, who: 0, which: 1, how: 5 }));

describe.each([
  [inMemory, 40],
  [inFile, 6],
  [inPostgres, 3],
] as const)("$name", (maker, numRuns) => {
  it("G2 G3 G5 G17: whatever happens, what is final stays, is decided once, and is what the agent was told", async () => {
    const reached = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: "max" }), async (steps) => {
        const { store, remove } = await maker.make();
        const p = play(store);
        try {
          for (const [what, n] of await live(p, steps)) reached.set(what, (reached.get(what) ?? 0) + n);
          expect(p.table.ring.size()).toBe(0);
        } finally {
          await p.table.close();
          await remove();
        }
      }),
      { numRuns, endOnFailure: true, examples: [[takenBack]] },
    );
    // The test itself: all of it has been there.
    if (maker === inMemory)
      for (const what of [
        ...["approved", "denied", "answered", "resolved", "expired", "withdrawn", "recall_gate", "reopen_gate"],
        ...[
          "permission_prompt",
          "gate_result",
          "ALREADY_DECIDED",
          "ALREADY_DENIED",
          "STOPPED",
          "KEY_REUSED",
          "EXPIRED",
        ],
      ])
        expect([what, reached.get(what) ?? 0]).not.toEqual([what, 0]);
  }, 120_000);
});
