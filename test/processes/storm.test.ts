import { afterEach, describe, expect, it } from "vitest";
import { chance } from "./chance.ts";
import type { Place } from "./parley.ts";
import { shared } from "./shared.ts";
import { storm } from "./storm.ts";

let place: Place;
afterEach(() => place.remove());

describe.each(Object.entries(shared))("on %s", (name, make) => {
  it("G5 G6: sent five times, out of order, cancelled and cut off, over two sessions: one card for each question", async () => {
    place = await make();
    const figures = await storm(place, 12, chance(`retries on ${name}`));
    process.stderr.write(`retries on ${name}: ${figures}\n`);
    expect(figures).toContain("24 cards");
  }, 120_000);
});
