import { afterEach, expect, it, vi } from "vitest";
import { out, put, table, tell } from "../../src/commands/print.ts";
import { shown } from "../../src/commands/shown.ts";

const wasTerminal = process.stdout.isTTY;
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.isTTY = wasTerminal;
});

/** What is written to a stream meanwhile. */
function written(stream: NodeJS.WriteStream, isTTY: boolean, work: () => void): string {
  let text = "";
  process.stdout.isTTY = isTTY;
  vi.spyOn(stream, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  work();
  return text;
}

/** The worst of it: escape, right-to-left override, a control of eight bits. */
const hidden = /\p{Cc}(?<!\n)|\u202e/u;
const evil = "safe\u001b[8m; rm -rf /\u001b[0m \u202ecod.exe\u202c a\u200bb\r\u009b2J\u{e0041}\ud800";

it("E11: what commands a terminal, turns a line round or shows nothing is written out", () => {
  expect(shown(evil)).toBe(
    "safe<U+001B>[8m; rm -rf /<U+001B>[0m <U+202E>cod.exe<U+202C> a<U+200B>b<U+000D><U+009B>2J<U+E0041><U+D800>",
  );
  const plain = "Zoë\tsagt: 👩‍💻 ❤️ 1️⃣ ok\nשלום العربية 日本語";
  expect(shown(plain)).toBe(plain);
});

it("E11: results are so on a terminal, and raw where a program reads them", () => {
  for (const print of [() => out(evil), () => put(evil), () => table(["name"], [[evil]])]) {
    const onTerminal = written(process.stdout, true, print);
    expect(onTerminal).toContain("<U+001B>");
    expect(onTerminal).not.toMatch(hidden);
    expect(written(process.stdout, false, print)).toContain("\u001b[8m");
  }
});

it("E11: words to a person beside the result are never raw", () => {
  for (const isTTY of [true, false])
    expect(written(process.stderr, isTTY, () => tell(`parley gate: not run; zoe denied it: ${evil}`))).not.toMatch(
      hidden,
    );
});
