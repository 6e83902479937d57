import { expect, it } from "vitest";
import { digestOf } from "../../src/gates/digest.ts";
import { mustFit } from "../../src/gates/edit.ts";
import { verdictOf } from "../../src/gates/verdict.ts";

const fits = (asked: unknown, is: unknown): boolean => {
  try {
    mustFit(asked, { is, digest: digestOf(is) });
    return true;
  } catch {
    return false;
  }
};

const use = { tool: "Bash", input: { command: "make" }, cwd: "/srv" };
const run = { command: ["make", "all"], cwd: "/srv" };

it.each<[string, unknown, unknown, boolean]>([
  ["a tool's input", use, { ...use, input: { command: "make -n" } }, true],
  ["the order of its fields", use, { cwd: "/srv", input: {}, tool: "Bash" }, true],
  ["its tool", use, { ...use, tool: "Write" }, false],
  ["its folder", use, { ...use, cwd: "/" }, false],
  ["no folder", use, { tool: "Bash", input: {} }, false],
  ["something beside it", use, { ...use, env: {} }, false],
  ["its input away", use, { tool: "Bash", cwd: "/srv" }, false],
  ["its input into a text", use, { ...use, input: "make" }, false],
  ["its input into a list", use, { ...use, input: ["make"] }, false],
  ["the words of a command and its folder", run, { command: ["true"], cwd: "/" }, true],
  ["its words into one text", run, { ...run, command: "make all" }, false],
  ["its words away", run, { ...run, command: [] }, false],
  ["its folder away", run, { command: ["make"] }, false],
  ["more into it", run, { ...run, env: {} }, false],
  [
    "the words of a command that reads standard input",
    { ...run, stdin: true },
    { ...run, cwd: "/", stdin: true },
    true,
  ],
  ["its standard input away", { ...run, stdin: true }, run, true],
  ["standard input into it", run, { ...run, stdin: true }, false],
  ["its standard input into a text", { ...run, stdin: true }, { ...run, stdin: "x" }, false],
  // What an agent asks in words of its own it understands in other words as well.
  ["a text into anything", "make", run, true],
  ["an agent's own form", { command: "make", cwd: "/srv" }, { command: "true" }, true],
  ["what only begins like a tool's use", { ...use, env: {} }, "make", true],
  ["null", null, use, true],
])("G7: edits %s", (_what, asked, edited, can) => {
  expect(fits(asked, edited)).toBe(can);
});

it("G7: whatever stands on the card, nothing runs that is not the tool's use that was asked for", () => {
  for (const action of [{ ...use, tool: "Write" }, { ...use, cwd: "/" }, "make", null, { ...use, input: "x" }])
    expect(verdictOf({ status: "approved", action, digest: digestOf(action) }, use)).toMatchObject({ allow: false });
  // Nor what its digest does not name.
  expect(verdictOf({ status: "approved", action: use, digest: digestOf(run) }, use)).toMatchObject({ allow: false });
  expect(verdictOf({ status: "approved", action: use, digest: digestOf(use) }, use)).toMatchObject({ allow: true });
});
