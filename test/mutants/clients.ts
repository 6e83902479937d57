// Faults planted in what clients ask for by themselves, and in what notices tell, one at a time.
import type { Mutant } from "./all.ts";

/** Nothing is started beside a planted fault. */
const alone = { only: "^(?!.*PostgreSQL)" };
const gone = (name: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/gates/${name}.ts`, old, planted, tests: "test/gates/clients-gone.test.ts" },
  ...alone,
});
const hooks = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/hooks/${name}.ts`, old, planted, tests: `test/hooks/${tests}.test.ts` },
});
const notify = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/notify/${name}.ts`, old, planted, tests: `test/notify/${tests}.test.ts` },
  ...alone,
});

export const clientMutants: Mutant[] = [
  gone("rules")("G19: a client that is gone keeps its card", "if (gone <= now && gone < expires)", "if (gone < 0)"),
  gone("rows")(
    "G19: a client that asks again is gone all the same",
    ".set({ waits_until: until, client_until })",
    ".set({ waits_until: until })",
  ),
  gone("rules")(
    "G19: an agent's own question goes too",
    "asked_through === null ? null : waits + clientPatience[asked_through]",
    'waits + clientPatience[asked_through ?? "hook"]',
  ),
  gone("rules")(
    "G5: one session's yes answers another session",
    "gate.client_session === (asked.session ?? null)",
    "gate.client_session !== undefined",
  ),
  hooks("typing", "typing")(
    "G9: a bare shell is no program that commands are typed into",
    "operands(argv, () => false).length === 0",
    "false",
  ),
  hooks("typing", "typing")("G9: a shell with its script is one", "operands(argv, () => false).length === 0", "true"),
  {
    fault: "G10: always allow of a patch knows no files",
    file: "src/rules/deed.ts",
    old: "  if (patched) others.push({ at: filesAt, value: patched.use.acts });\n",
    planted: "",
    tests: "test/hooks/tool-uses.test.ts",
  },
  {
    fault: "G11: a command beside an edit hides below it",
    file: "public/words/tool-use.js",
    old: 'Object.hasOwn(input, "command") && tool !== "apply_patch"',
    planted: "false",
    tests: "test/hooks/tool-uses.test.ts",
  },
  notify("letter", "clients")(
    "D8: a notice holds the command that a client asked for",
    "if (gate.asked_through === null) return plain(gate.title);",
    "return plain(gate.title);",
  ),
  notify("letter", "clients")("D8: what cannot be seen stands in a notice", 'whole ?? "\\ufffd"', 'whole ?? ""'),
  notify("secrets", "secrets")("D8: a variable's secret is sent", "\\\\s*[=:]\\\\s*)(?!•)", "\\\\s*[:]\\\\s*)(?!•)"),
  notify("secrets", "secrets")("D8: a key of chance is sent", ">= 0.3", ">= 3"),
];
