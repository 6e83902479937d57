// Every fact that the server can record is told in words, never by its own name.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../src/package.ts";

interface Node {
  type?: unknown;
  props?: { children?: unknown };
}

/** What a drawn node says. */
function textOf(node: unknown): string {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (typeof node === "object") return textOf((node as Node).props?.children);
  return String(node);
}

/** Action names that are put together of a stem and a word. */
const stems: Record<string, readonly string[]> = {
  "floor.question_": ["answered", "declined", "dropped"],
  "gate.": ["approved", "denied", "answered", "resolved", "expired", "withdrawn"],
};
/** Rung, sent or filtered by, and in no log. */
const noFacts = new Set(["gate.settled", "gate.reminder", "receipt.key", "floor.interjected"]);
const families = "floor|gate|task|message|member|room|rule|token|link|person|session|notices|channel|key";

async function recorded(): Promise<string[]> {
  const names = new Set<string>();
  const paths = (await readdir(join(root, "src"), { recursive: true })).filter((path) => path.endsWith(".ts"));
  for (const path of paths) {
    const source = await readFile(join(root, "src", path), "utf8");
    for (const [, name = ""] of source.matchAll(new RegExp(`"((?:${families})\\.[a-z_]+)"`, "g"))) names.add(name);
    for (const [, stem = ""] of source.matchAll(new RegExp(`\`((?:${families})\\.[a-z_]*)\\$\\{(?!string)`, "g"))) {
      const words = stems[stem];
      if (!words) throw new Error(`${path}: say in this test which actions begin with ${stem}`);
      for (const word of words) names.add(stem + word);
    }
  }
  return [...names].filter((name) => !noFacts.has(name)).sort();
}

const { tell } = await import(join(root, "public/words/facts.js"));
const { manner } = await import(join(root, "public/words/facts.js"));

it("every fact has words, with somebody who did it and by the server itself", async () => {
  const names = await recorded();
  expect(names).toEqual(
    expect.arrayContaining(["floor.question_dropped", "floor.wrapping_up", "gate.asked", "task.done"]),
  );
  expect(names.length).toBeGreaterThan(70);
  for (const action of names) {
    const family = action.slice(0, action.indexOf("."));
    const subject = { floor: "floor:main", task: "task:7", gate: "gate:g1" }[family] ?? "member:ada";
    for (const member of ["ada", null]) {
      const data = {
        seat: "bob",
        member: "dan",
        role: "lead",
        turn: 3,
        by: "cyd",
        turns: 9,
        of: 20,
        ended: "silent",
        question: 2,
        kind: "feedback",
      };
      const fact = {
        seq: 1,
        at: "2026-01-01T00:00:00Z",
        member,
        kind: null,
        action,
        subject,
        to: "bob",
        data,
        title: "A title",
      };
      const words = textOf(tell(fact, { room: undefined, me: "zoe" }).words);
      expect({ action, words }).toEqual({ action, words: expect.stringMatching(/^\S.*\S$/s) });
      expect({ action, words }).not.toEqual({ action, words: expect.stringMatching(/undefined|null|\[object|NaN/) });
      // What is unknown is told by its own name.
      expect(words).not.toContain(`${action.replace(/[._]/g, " ")} `);
    }
  }
});

it("what Parley itself asks has its name", () => {
  const fact = {
    seq: 1,
    at: "2026-01-01T00:00:00Z",
    member: null,
    kind: null,
    action: "gate.asked",
    subject: "gate:g1",
    title: "main: go on?",
  };
  expect(textOf(tell({ ...fact, data: { kind: "feedback" } }, { room: undefined, me: "zoe" }).words)).toBe(
    "Parley asks: main: go on?",
  );
});

it("R22: what became of a question says who answered whom", () => {
  const told = (how: string) =>
    textOf(
      tell(
        {
          seq: 1,
          at: "2026-01-01T00:00:00Z",
          member: "bob",
          kind: "agent",
          action: `floor.question_${how}`,
          subject: "floor:main",
          to: "ada",
          data: { question: 4, by: "bob" },
        },
        { room: undefined, me: "ada" },
      ).words,
    );
  expect(told("answered")).toBe("bob answered your question");
  expect(manner({ action: "floor.said", data: { turn: 2, addressed_to: "ada", expects_reply: true } }, "ada")).toBe(
    "turn 2, to you, asks for a reply",
  );
});
