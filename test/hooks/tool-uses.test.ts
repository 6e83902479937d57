// What each client's edits, plans and questions look like: their title, the card's head and diff, and the rule that
// knows such an edit again. One table for the server and for the page.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actionOf, titleOf } from "../../src/gates/tool-use.ts";
import { root } from "../../src/package.ts";
import { read } from "../../src/rules/deed.ts";
import { matches } from "../../src/rules/pattern.ts";
import { propose } from "../../src/rules/propose.ts";
import type { Asked } from "../../src/rules/rules.ts";

const { describe: shown } = await import(join(root, "public/words/action.js"));
const { compareActions } = await import(join(root, "public/words/compare.js"));
const { isAnswered, withAnswers } = await import(join(root, "public/words/questions.js"));

interface Edit {
  tool: string;
  input: Record<string, unknown>;
  /** Of the title, after the tool; of the card's head. */
  names: string;
  head: string;
  /** Signs and words of the diff. */
  diff: string[];
  /** What the head and the diff do not tell. */
  rest?: Record<string, unknown>;
  /** The same file with other words. */
  again: Record<string, unknown>;
  /** Another file, or something else done to it. */
  other: Record<string, unknown>;
}

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const cwd = "/w";

const edits: Record<string, Edit> = {
  "Claude Code, Edit": {
    tool: "Edit",
    input: { file_path: "/w/a.ts", old_string: "a\nb", new_string: "a\nc", replace_all: true },
    names: "/w/a.ts",
    head: "Edit /w/a.ts",
    diff: [" a", "−b", "+c"],
    rest: { replace_all: true },
    again: { file_path: "/w/a.ts", old_string: "x", new_string: "y", replace_all: true },
    other: { file_path: "/w/b.ts", old_string: "a\nb", new_string: "a\nc", replace_all: true },
  },
  "Claude Code, MultiEdit": {
    tool: "MultiEdit",
    input: {
      file_path: "/w/a.ts",
      edits: [
        { old_string: "a", new_string: "b" },
        { old_string: "c", new_string: "d", replace_all: true },
      ],
    },
    names: "/w/a.ts",
    head: "Edit /w/a.ts",
    diff: ["Change 1 of 2", "−a", "+b", 'Change 2 of 2, {"replace_all":true}', "−c", "+d"],
    again: { file_path: "/w/a.ts", edits: [{ old_string: "q", new_string: "r" }] },
    other: { file_path: "/w/b.ts", edits: [{ old_string: "a", new_string: "b" }] },
  },
  "Claude Code, Write": {
    tool: "Write",
    input: { file_path: "/w/a.ts", content: "one\ntwo" },
    names: "/w/a.ts",
    head: "Write /w/a.ts",
    diff: ["+one", "+two"],
    again: { file_path: "/w/a.ts", content: "three" },
    other: { file_path: "/w/b.ts", content: "one\ntwo" },
  },
  "Claude Code, NotebookEdit": {
    tool: "NotebookEdit",
    input: { notebook_path: "/w/n.ipynb", cell_id: "c1", new_source: "x = 1", edit_mode: "replace" },
    names: "/w/n.ipynb",
    head: "Edit /w/n.ipynb",
    diff: ["+x = 1"],
    rest: { cell_id: "c1", edit_mode: "replace" },
    again: { notebook_path: "/w/n.ipynb", cell_id: "c1", new_source: "x = 2", edit_mode: "replace" },
    other: { notebook_path: "/w/n.ipynb", cell_id: "c1", new_source: "x = 1", edit_mode: "delete" },
  },
  "opencode, edit": {
    tool: "edit",
    input: { filePath: "/w/a.ts", oldString: "a\nb", newString: "a\nc" },
    names: "/w/a.ts",
    head: "Edit /w/a.ts",
    diff: [" a", "−b", "+c"],
    again: { filePath: "/w/a.ts", oldString: "p", newString: "q" },
    other: { filePath: "/w/b.ts", oldString: "a\nb", newString: "a\nc" },
  },
  "opencode, write": {
    tool: "write",
    input: { filePath: "/w/a.ts", content: "one" },
    names: "/w/a.ts",
    head: "Write /w/a.ts",
    diff: ["+one"],
    again: { filePath: "/w/a.ts", content: "two" },
    other: { filePath: "/w/a.ts.bak", content: "one" },
  },
  "Codex, apply_patch": {
    tool: "apply_patch",
    input: {
      command: patch("*** Update File: src/a.ts", "@@ f()", " a", "-b", "+c", "*** Add File: src/n.ts", "+new"),
    },
    names: "src/a.ts, src/n.ts",
    head: "Patch of src/a.ts, src/n.ts",
    diff: [
      "*** Begin Patch",
      "*** Update File: src/a.ts",
      "@@ f()",
      " a",
      "−b",
      "+c",
      "*** Add File: src/n.ts",
      "+new",
      "*** End Patch",
    ],
    again: { command: patch("*** Update File: src/a.ts", "@@", "-q", "+r", "*** Add File: src/n.ts", "+other") },
    other: { command: patch("*** Delete File: src/a.ts", "*** Add File: src/n.ts", "+new") },
  },
  "opencode, apply_patch": {
    tool: "apply_patch",
    input: { patchText: patch("*** Update File: a.ts", "@@", "-b", "+c") },
    names: "a.ts",
    head: "Patch of a.ts",
    diff: ["*** Begin Patch", "*** Update File: a.ts", "@@", "−b", "+c", "*** End Patch"],
    again: { patchText: patch("*** Update File: a.ts", "@@", "-y", "+z") },
    other: { patchText: patch("*** Update File: a.ts", "*** Move to: .git/hooks/pre-commit", "@@", "-b", "+c") },
  },
  "Gemini CLI, replace": {
    tool: "replace",
    input: { file_path: "/w/a.ts", old_string: "a", new_string: "b", instruction: "Rename a" },
    names: "/w/a.ts",
    head: "Edit /w/a.ts",
    diff: ["−a", "+b"],
    rest: { instruction: "Rename a" },
    again: { file_path: "/w/a.ts", old_string: "c", new_string: "d", instruction: "Rename c; then test" },
    other: { file_path: "/w/b.ts", old_string: "a", new_string: "b", instruction: "Rename a" },
  },
  "Gemini CLI, write_file": {
    tool: "write_file",
    input: { file_path: "/w/a.ts", content: "one" },
    names: "/w/a.ts",
    head: "Write /w/a.ts",
    diff: ["+one"],
    again: { file_path: "/w/a.ts", content: "$(two)" },
    other: { file_path: "/etc/a.ts", content: "one" },
  },
  "Cursor, Write": {
    tool: "Write",
    input: { path: "/w/a.ts", contents: "one" },
    names: "/w/a.ts",
    head: "Write /w/a.ts",
    diff: ["+one"],
    again: { path: "/w/a.ts", contents: "two" },
    other: { path: "/w/b.ts", contents: "one" },
  },
  "Cursor, Delete": {
    tool: "Delete",
    input: { path: "/w/a.ts" },
    names: "/w/a.ts",
    head: "Delete /w/a.ts",
    diff: [],
    again: { path: "/w/a.ts" },
    other: { path: "/w/b.ts" },
  },
  "a tool of another server": {
    tool: "mcp__files__edit_file",
    input: { path: "/w/a.ts", edits: [{ oldText: "a", newText: "b" }] },
    names: "/w/a.ts",
    head: "mcp__files__edit_file, edit /w/a.ts",
    diff: ["−a", "+b"],
    again: { path: "/w/a.ts", edits: [{ oldText: "c", newText: "d" }] },
    other: { path: "/w/a.ts", edits: [{ oldText: "a", newText: "b" }], dryRun: true },
  },
};

const lines = (diff: Array<{ sign: string; text: string; kind: string }> | null) =>
  (diff ?? []).map(({ sign, text, kind }) => (kind === "hunk" ? text : `${sign || " "}${text}`));
const asked = (is: unknown): Asked => ({
  kind: "approval",
  room: "main",
  asked_by: "ada",
  action: { is },
  risk: "medium",
  options: [],
});

describe.each(Object.entries(edits))("%s", (_client, { tool, input, names, head, diff, rest, again, other }) => {
  const action = actionOf({ tool, input, cwd });

  it("G11: is shown as an edit of its file, with nothing left out", () => {
    expect(titleOf({ tool, input })).toBe(`${tool}: ${names}`);
    const card = shown(action);
    expect(`${card.what} ${card.where}`).toBe(`${head} in ${cwd}`);
    expect(lines(card.diff)).toEqual(diff);
    expect([card.code, card.rest]).toEqual([null, rest ?? null]);
  });

  it("G10: always allow knows the next edit of the same file, and no other", () => {
    const proposed = propose(asked(action), "allow");
    if ("why_not" in proposed) throw new Error(proposed.why_not);
    const fits = (next: Record<string, unknown>, more = {}) =>
      matches(proposed.pattern, read({ ...actionOf({ tool, input: next, cwd }), ...more }), "allow");
    expect([fits(input), fits(again), fits(other)]).toEqual([true, true, false]);
    expect([fits(again, { cwd: "/elsewhere" }), fits(again, { tool: `${tool}2` }), fits({ ...again, x: 1 })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("what could be read in two ways is shown as it is", () => {
  const files = { file_path: "/w/a", filePath: "/w/b" };
  it.each<[string, string, Record<string, unknown>]>([
    ["two files", "Edit", { ...files, old_string: "a", new_string: "b" }],
    ["two texts to be put in", "Edit", { file_path: "/w/a", old_string: "a", new_string: "b", newString: "c" }],
    ["a command beside an edit", "Bash", { command: "rm -r /", file_path: "/w/a", old_string: "a", new_string: "b" }],
    ["a patch in a shell", "Bash", { command: patch("*** Update File: a", "@@", "-b", "+c") }],
    ["a command beside a patch", "Bash", { command: "rm -r /", patch: "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b" }],
    ["an edit among edits that is none", "MultiEdit", { file_path: "/w/a", edits: [{ old_string: "a" }] }],
    ["a file that is no text", "Edit", { file_path: ["/w/a"], new_string: "b" }],
  ])("G11: %s", (_, tool, input) => {
    const card = shown({ tool, input });
    expect([card.diff, card.code !== null]).toEqual([null, true]);
    const all = `${card.code}${JSON.stringify(card.rest)}`;
    for (const text of JSON.stringify(Object.values(input)).match(/"(?:[^"\\]|\\.)*"/g) ?? [])
      expect(all.includes(text.slice(1, -1)) || all.includes(JSON.parse(text)), text).toBe(true);
  });

  it("G10: a patch with a head that is not known, or beside another list of files, is no rule's", () => {
    const known = patch("*** Update File: a.ts", "@@", "-b", "+c");
    const proposed = propose(asked(actionOf({ tool: "apply_patch", input: { command: known }, cwd })), "allow");
    if ("why_not" in proposed) throw new Error(proposed.why_not);
    const fits = (command: string, more = {}) =>
      matches(proposed.pattern, read({ tool: "apply_patch", input: { command }, cwd, ...more }), "allow");
    expect(fits(known)).toBe(true);
    for (const hidden of ["  *** Delete File: b.ts", "\t*** Add File: b.ts", "*** Remove File: b.ts", "***Add File: b"])
      expect([hidden, fits(known.replace("*** End Patch", `${hidden}\n*** End Patch`))]).toEqual([hidden, false]);
    expect(fits(known.replace("a.ts", "b.ts"), { files: ["Update File: a.ts"] })).toBe(false);
    expect(matches(proposed.pattern, read({ tool: "Bash", input: { command: known }, cwd }), "allow")).toBe(false);
  });
});

it("G11: an edit that a person changed is compared line by line", () => {
  const action = (content: string) => ({ tool: "Write", input: { file_path: "/w/a", content }, cwd });
  const before = action("one\ntwo\nthree\\n");
  const told = lines(compareActions(before, action("one\n2\nthree\\n")));
  expect(told.filter((line) => /^[−+]/.test(line))).toEqual(["−two\\n", "+2\\n"]);
});

describe("Claude Code's plan and questions", () => {
  const plan = { tool: "ExitPlanMode", input: { plan: "# Mend the lock\n\n1. Find it" } };
  const ask = {
    tool: "AskUserQuestion",
    input: {
      questions: [
        {
          question: "Which store?",
          header: "Store",
          multiSelect: false,
          options: [{ label: "SQLite", description: "one file" }, { label: "PostgreSQL" }],
        },
        { question: "Which tests?", multiSelect: true, options: [{ label: "unit" }, { label: "browser" }] },
      ],
    },
  };

  it("G11: a plan is shown as the Markdown that it is, a question with its choices", () => {
    expect([titleOf(plan), titleOf(ask)]).toEqual([
      "ExitPlanMode: Mend the lock",
      "AskUserQuestion: Which store? / Which tests?",
    ]);
    expect(shown(plan)).toMatchObject({ what: "Plan", prose: plan.input.plan, code: null, diff: null, rest: null });
    expect(shown(ask)).toMatchObject({
      what: "Asks you",
      code: null,
      rest: null,
      questions: [
        { question: "Which store?", header: "Store", several: false, options: [{ label: "SQLite" }, {}] },
        { question: "Which tests?", several: true },
      ],
    });
  });

  it("G7: the answers go back by the question's own words, several with a comma between", () => {
    const answers = {
      "Which store?": { picks: ["PostgreSQL"] },
      "Which tests?": { picks: ["browser", "unit"], own: " by hand " },
    };
    expect([isAnswered(ask, {}), isAnswered(ask, { "Which store?": { picks: ["SQLite"] } })]).toEqual([false, false]);
    expect(isAnswered(ask, answers)).toBe(true);
    expect(withAnswers(ask, answers)).toEqual({
      ...ask,
      input: { ...ask.input, answers: { "Which store?": "PostgreSQL", "Which tests?": "unit, browser, by hand" } },
    });
    expect(isAnswered(withAnswers(ask, answers), {})).toBe(true);
  });

  it("G10: no rule answers them", () => {
    for (const action of [plan, ask])
      for (const effect of ["allow", "deny"] as const)
        expect(propose(asked({ ...action, cwd }), effect)).toEqual({
          why_not: expect.stringContaining("asks a person"),
        });
  });
});
