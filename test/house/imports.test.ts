// Imports point one way: edges and commands → table → slices → action, log, refusal, the store's types.
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../src/package.ts";

const slices = ["board", "floor", "gates", "members", "messages", "notify", "receipts", "rules", "stream"];
/** What of a slice another one may use: its rows, rules, views, and what ends with its records. */
const shared =
  /\/(?:rows|[a-z]+-rows|rules|view|view-[a-z]+|endings|inbox|utterances|digest|caller|authority|signin|receipt|apply|own-settings)\.ts$/;
/** Read by the page and by the server alike; it imports nothing. */
const alike = "public/words/tool-use.js";
/** Files of actions: asked by callers, never by another slice. */
const actions =
  /\/(?:actions|ask|decide|afterwards|stop|places|credentials|self|create|work|steer|next|post|read|tidy|speak|operate)\.ts$/;

interface Import {
  from: string;
  /** A path below the package's root, or a package's name. */
  to: string;
  type: boolean;
}

const line = /^\s*(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

const imports: Import[] = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => join("src", file).replaceAll("\\", "/"))
  .flatMap((from) =>
    [...readFileSync(join(root, from), "utf8").matchAll(line)].map(([, type, to, later]) => {
      const what = to ?? later ?? "";
      const path = what.startsWith(".") ? normalize(join(from, "..", what)).replaceAll("\\", "/") : what;
      return { from, to: path, type: type !== undefined };
    }),
  );

const folderOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? "";
const isSlice = (path: string): boolean => slices.includes(folderOf(path));
const told = (wrong: readonly Import[]): string[] => wrong.map(({ from, to }) => `${from} imports ${to}`);

describe("imports", () => {
  it("are read: every slice is there, and has some", () => {
    expect(imports.length).toBeGreaterThan(300);
    for (const slice of slices)
      expect(
        imports.some(({ from }) => folderOf(from) === slice),
        slice,
      ).toBe(true);
  });

  it("stay in src: neither tests nor benches are part of the product", () => {
    const outside = imports.filter(({ to }) => /^(?:test|bench|public)\/|^\.\.|vitest/.test(to) && to !== alike);
    expect(told(outside)).toEqual([]);
  });

  it("of the protocol's SDK stand only in the edges, those of the databases only in the store", () => {
    const sdk = imports.filter(({ from, to }) => to.startsWith("@modelcontextprotocol/") && folderOf(from) !== "edges");
    const web = imports.filter(({ from, to }) => /^(?:express|ws)$/.test(to) && folderOf(from) !== "edges");
    const databases = imports.filter(
      ({ from, to }) => /^(?:pg|better-sqlite3)$/.test(to) && folderOf(from) !== "store",
    );
    expect(told([...sdk, ...web, ...databases])).toEqual([]);
  });

  it("never lead up: nothing below knows the edges, the commands, or how the table is put together", () => {
    const up = imports.filter(
      ({ from, to, type }) =>
        (/^src\/edges\//.test(to) && !["edges", "commands"].includes(folderOf(from))) ||
        (/^src\/commands\//.test(to) && folderOf(from) !== "commands" && from !== "src/main.ts") ||
        (to === "src/table.ts" && !type && !["edges", "commands"].includes(folderOf(from))),
    );
    expect(told(up)).toEqual([]);
  });

  it("of the spine know no slice but who calls, and who acts everywhere", () => {
    const spine = ["action", "keys", "log", "may", "perform", "refusal", "ring", "until", "words", "write"];
    const known = imports.filter(
      ({ from, to }) =>
        spine.some((name) => from === `src/${name}.ts`) &&
        isSlice(to) &&
        !["src/members/caller.ts", "src/members/authority.ts", "src/members/rules.ts"].includes(to),
    );
    expect(told(known)).toEqual([]);
  });

  it("of slices take of the store its types alone", () => {
    const store = imports.filter(({ from, to, type }) => isSlice(from) && folderOf(to) === "store" && !type);
    expect(told(store)).toEqual([]);
  });

  it("of one slice into another are of rows, rules, views and endings, never of its actions", () => {
    const across = imports.filter(({ from, to }) => isSlice(from) && isSlice(to) && folderOf(from) !== folderOf(to));
    expect(across.length).toBeGreaterThan(20);
    expect(told(across.filter(({ to }) => actions.test(to)))).toEqual([]);
    expect(told(across.filter(({ to }) => !shared.test(to)))).toEqual([]);
  });

  it("of rules are of the refusal, of types, of other rules and of pure libraries", () => {
    const pure = ["src/refusal.ts", "src/visible.ts", "unicode-confusables", "canonicalize"];
    const impure = imports.filter(
      ({ from, to, type }) => /^src\/[a-z]+\/rules\.ts$/.test(from) && !type && !pure.includes(to) && !isRule(from, to),
    );
    expect(told(impure)).toEqual([]);
  });
});

/** Rules may stand in several files of their slice, and read those of another. */
const isRule = (from: string, to: string): boolean =>
  /\/rules\.ts$/.test(to) || (folderOf(from) === folderOf(to) && !actions.test(to) && !/rows\.ts$/.test(to));
