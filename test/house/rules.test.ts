// The documents' numbered rules and the titles of the tests know each other: no rule without a test, no number in a
// title that stands in no document.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../src/package.ts";

const documents = ["floor", "gates", "board", "dashboard", "security", "connect"].map((name) => `docs/${name}.md`);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Most rules are items of their own; the floor's invariants follow each other in two paragraphs. */
function rulesIn(text: string): string[] {
  const items = [...text.matchAll(/^- ([A-Z]\d+)\. /gm)].map(([, rule]) => rule ?? "");
  const paragraphs = [...text.matchAll(/^(?:S1|L \().*$/gm)].flatMap(
    ([line]) => line.match(/\b[SL]\d+(?= [a-z])/g) ?? [],
  );
  return [...items, ...paragraphs];
}

const rules = new Set(documents.flatMap((path) => rulesIn(read(path))));

/** Not proved yet. */
const owed = ["X1"];

interface Title {
  file: string;
  text: string;
  rules: string[];
}

/** `R1, R3–R5: …` and `D1 D13: …` name R1, R3, R4, R5, D1 and D13. */
function named(list: string): string[] {
  return list.split(/, | /).flatMap((part) => {
    const [, letter = "", from = "", to = from] = /^([A-Z])(\d+)(?:–[A-Z]?(\d+))?$/.exec(part) ?? [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${letter}${Number(from) + n}`);
  });
}

const titled = /(?<!Error)\(\s*(["'`])((?:[A-Z]\d+(?:–[A-Z]?\d+)?(?:, | )?)+): ((?:(?!\1).)*)\1/g;

const titles: Title[] = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join("test", file).replaceAll("\\", "/"))
  .flatMap((file) =>
    [...read(file).matchAll(titled)].map(([, , list = "", text = ""]) => ({ file, text, rules: named(list) })),
  );

describe("numbered rules", () => {
  it("are read, and so are the titles", () => {
    for (const rule of ["M1", "B10", "C4", "A3", "G18", "R23", "N9", "T4", "S1", "S11", "L6", "D14"])
      expect([...rules], rule).toContain(rule);
    expect(titles.length).toBeGreaterThan(500);
    expect(named("R1, R3–R5")).toEqual(["R1", "R3", "R4", "R5"]);
    expect(named("S9–S11 D13")).toEqual(["S9", "S10", "S11", "D13"]);
  });

  it("have each a number of its own", () => {
    const all = documents.flatMap((path) => rulesIn(read(path)));
    expect(all.filter((rule, at) => all.indexOf(rule) !== at)).toEqual([]);
  });

  it("are each proved by a test that says so in its title", () => {
    const proved = new Set(titles.flatMap((title) => title.rules));
    expect([...rules].filter((rule) => !proved.has(rule) && !owed.includes(rule))).toEqual([]);
    expect(
      owed.filter((rule) => proved.has(rule) || !rules.has(rule)),
      "are proved by now: take them from the list",
    ).toEqual([]);
  });

  it("are meant where a title names one", () => {
    const wrong = titles.flatMap(({ file, text, rules: own }) =>
      own.filter((rule) => !rules.has(rule)).map((rule) => `${file}: ${rule}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });
});
