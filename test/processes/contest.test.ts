import { afterEach, describe, expect, it } from "vitest";
import { chance } from "./chance.ts";
import { contest } from "./contest.ts";
import type { Place } from "./parley.ts";
import { shared } from "./shared.ts";

let place: Place;
afterEach(() => place.remove());

describe.each(Object.entries(shared))("on %s", (name, make) => {
  it("G2: of fifty answers at once one decides, its repetitions are told the same, all others who was first", async () => {
    place = await make();
    const figures = await contest(place, { servers: 2, gates: 20, answers: 50 }, chance(`fifty answers on ${name}`));
    process.stderr.write(`fifty answers on ${name}: ${figures}\n`);
    expect(figures).toContain("20 decided");
  }, 120_000);
});
