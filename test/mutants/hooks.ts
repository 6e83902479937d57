// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source
// Faults planted in what sets clients up, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const settings = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/hooks/settings/${name}.ts`, old, planted },
  tests: `test/hooks/settings/${tests}.test.ts`,
});

export const hooksMutants: Mutant[] = [
  settings("command", "command")(
    "K1: whatever names a hook of the client is Parley's",
    "  if (!own || verb !==",
    "  if (/ hook |\\/hooks\\//.test(line)) return line.includes(client);\n  if (!own || verb !==",
  ),
  settings("file", "refused")("K5: a copy is written over another", ", constants.COPYFILE_EXCL", ""),
  settings("file", "refused")("K5: what was written before a failure stays", "[...undo].reverse()", "[]"),
  settings("codex", "gates")(
    "K8: any digest is trust",
    "said.trusted_hash === `sha256:${trusted}`",
    "!!said.trusted_hash",
  ),
  settings("json-text", "kept")(
    "K2: a comment goes with the comma before it",
    "${comma}${trivia}${eol}",
    "${comma}${eol}",
  ),
];
