// The planted faults (npm run mutants) keep up with the code: each one's place stands there exactly once.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../src/package.ts";
import { allMutants } from "../mutants/all.ts";

it("planted faults have their place in the code, and the tests that find them", () => {
  const lost = allMutants.filter(({ file, old, tests }) => {
    const places = readFileSync(join(root, file), "utf8").split(old).length - 1;
    return places !== 1 || !existsSync(join(root, tests));
  });
  expect(lost.map(({ fault, file }) => `${file}: ${fault}`)).toEqual([]);
});
