// Whether an allow rule leaves more open than “always allow this” would: a word that is no message, or a field that is
// not what is new in a file.
import { fileNames, wordingNames } from "../../public/words/tool-use.js";
import { filesAt } from "./deed.ts";
import { literal } from "./glob.ts";
import { messagesIn } from "./messages.ts";
import type { Pattern } from "./pattern.ts";
import type { Rule } from "./rules.ts";
import { rest } from "./shell.ts";

/** The words of a pattern that are open and no messages, as they are written. */
export function wideWords({ argv = [] }: Pattern): string[] {
  const isOpen = (word: string) => word === rest || literal(word) === null;
  const messages = messagesIn(argv.map((word) => (isOpen(word) ? (optionOf(word) ?? null) : literal(word))));
  return argv.filter((word, at) => isOpen(word) && !isMessage(word, messages.get(at)));
}

/** `--message=*` is an option with an open value. */
const optionOf = (word: string): string | undefined => /^--[a-z-]+=/.exec(word)?.[0];

const isMessage = (word: string, before: string | undefined): boolean =>
  before !== undefined && (before === "" || word.startsWith(before));

/** The fields of a pattern that are open and do not say what is new in a file that it names. */
export function wideFields({ fields = {} }: Pattern): string[] {
  const isOpen = (value: unknown) => typeof value === "string" && literal(value) === null;
  const keyOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const pinsFile = Object.entries(fields).some(
    ([path, value]) => (path === filesAt || fileNames.has(keyOf(path))) && !isOpen(value),
  );
  return Object.keys(fields).filter((path) => isOpen(fields[path]) && !(pinsFile && isWording(path, keyOf(path))));
}

/** The command of `apply_patch` is a patch. */
const isWording = (path: string, key: string): boolean =>
  wordingNames.has(key) || path === "input.command" || path === "input.input";

/** A rule that a person still has to confirm: until then it answers nothing. */
export const isTooWide = (rule: Pick<Rule, "effect" | "pattern" | "confirmed_at">): boolean =>
  rule.effect === "allow" && rule.confirmed_at === null && wideIn(rule.pattern).length > 0;

const wideIn = (pattern: Pattern): string[] => [...wideWords(pattern), ...wideFields(pattern)];

/** Why it waits for a person, in one sentence. */
export const whyTooWide = ({ pattern }: Pick<Rule, "pattern">): string => {
  const words = wideIn(pattern);
  const told = words.slice(0, 5).join(" ") + (words.length > 5 ? " …" : "");
  return `It leaves open what ${pattern.program ?? pattern.tool ?? "the program"} works on (${told}), not only a message or a file's contents, so it answers nothing until a person confirms it.`;
};
