// Faults planted in gates and rules, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const inMemory = { only: "SQLite in memory" };
const life = (name: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/gates/${name}.ts`, old, planted },
  ...{ tests: "test/gates/life.test.ts", ...inMemory },
});
const prompt = (name: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/gates/${name}.ts`, old, planted, tests: "test/hooks/permission.test.ts" },
});
/** A copy of the tree has no PostgreSQL beside it. */
const withoutServer = { only: "^(?!PostgreSQL|SQLite in a file)" };
const ruled = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/rules/${name}.ts`, old, planted, tests: `test/rules/${tests}.test.ts`, ...withoutServer },
});
const rules = life("rules");

const tested = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/gates/${name}.ts`, old, planted, tests: `test/${tests}.test.ts`, ...withoutServer },
});

export const gatesMutants: Mutant[] = [
  tested("decide", "gates/decide")(
    "G9: the approval of one who decides no more counts",
    "await countingHalves(write, asked)",
    "asked",
  ),
  tested("decide", "gates/afterwards")(
    "G15: what somebody else has opened is approved along with others",
    "if (await persons.hasOpened(db, id, actor.member)) return;",
    "if (db && actor) return;",
  ),
  tested("digest", "gates/ask")(
    "G5: a blank more makes another question",
    "title: asSeen(asked.title)",
    "title: asked.title",
  ),
  tested("delivery", "edges/mcp/take-back")(
    "G17: what was never written counts as delivered",
    "return takeBack(mine, write);",
    "return Promise.resolve();",
  ),
  rules("G17: what was delivered can be taken back", "if (gate.delivered_at !== null)", "if (gate.recalled)"),
  rules(
    "G17: what was taken back keeps its receipt",
    "    by_rule: null,\n    receipt: null,\n",
    "    by_rule: null,\n",
  ),
  rules(
    "G2: a second answer replaces the first",
    "    throw decidedAlready(gate);\n  }\n  mustHaveSeen",
    "  }\n  mustHaveSeen",
  ),
  rules("G5: a key finds nothing again", "if (found.byKey) {", "if (found.byKey && found.pending.length > 20) {"),
  rules("G5: what is reopened has the key of what it reopens", "      key: null,\n", ""),
  prompt("decide")("G7: what cannot be run can be approved", "    if (edited) mustFit(was.action.is, edited);\n", ""),
  life("stop")("G17: a stop denies what waits without a fact", 'action: "gate.denied",', 'action: "gate.seen",'),
  ruled("shell", "shell")(
    "G10: an ampersand is a plain character",
    "_\\-.,/:@%+=]`;\nconst quotable",
    "_\\-.,/:@%+=&]`;\nconst quotable",
  ),
  ruled("shell", "shell")("G10: a substitution may stand in double quotes", '(?!["\\\\$!\\x60])', '(?!["\\\\!\\x60])'),
  ruled("shell", "never")("G10: any blank parts words", '(?: +|$))+$`, "u")', '(?:\\\\s+|$))+$`, "u")'),
  ruled("glob", "never")("G10: a star takes a semicolon", "_\\-.,/:@+=]/u", "_\\-.,/:@+=;]/u"),
  ruled("messages", "wide")(
    "G10: an option that is not known takes no word",
    "else if (!entry.flags?.includes(word)) break;",
    "",
  ),
  ruled("wide", "wide")(
    "G10: a rule that is too wide needs no person",
    "rule.confirmed_at === null &&",
    "rule.confirmed_at !== null &&",
  ),
  ruled("rules", "guarded")(
    "G10: a rule allows a change to the gates' settings",
    ' && !(rule.effect === "allow" && deed.touchesGates())',
    "",
  ),
  ruled("runners", "runners")("G10: a part of a program runs nothing", "if (from !== null)", "if (from === -1)"),
  ruled("glob", "never")("G10: a wildcard takes the @ of a file of options", " && !isHere && !inFile", ""),
  ruled("view", "wide")(
    "G10: a rule that can match nothing any more stands like any other",
    "if (answers(standing) && neverMatches(rule) !== null)",
    "if (answers(standing) && neverMatches(rule) === null && now < 0)",
  ),
];
