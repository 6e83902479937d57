// Gates at length: killed two hundred times, fifty answers to each of two hundred, a storm of retries.
import { afterEach, describe, expect, it } from "vitest";
import { chance } from "../processes/chance.ts";
import { contest } from "../processes/contest.ts";
import { killingOn } from "../processes/killing.ts";
import type { Place } from "../processes/parley.ts";
import { shared } from "../processes/shared.ts";
import { storm } from "../processes/storm.ts";

let place: Place;
afterEach(() => place.remove());

const say = (name: string, figures: string) => process.stderr.write(`${name}: ${figures}\n`);

describe.each(Object.entries(shared))("on %s", (name, make) => {
  it("G16: kill -9", async () => {
    place = await make();
    await killingOn(name, place, Number(process.env.PARLEY_KILLS ?? 200));
  });

  it.each([1, 2])("G2: fifty answers at once, %d server(s)", async (servers) => {
    place = await make();
    const figures = await contest(place, { servers, gates: 200, answers: 50 }, chance(`answers on ${name}`));
    say(`answers on ${name}`, figures);
    expect(figures).toContain("200 decided");
  });

  it("G5: retries", async () => {
    place = await make();
    const figures = await storm(place, 200, chance(`retries on ${name}`));
    say(`retries on ${name}`, figures);
    expect(figures).toContain("400 cards");
  });
});
