// Whether an allow rule leaves more open than “always allow this” would: a word that is no message.
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

/** A rule that a person still has to confirm: until then it answers nothing. */
export const isTooWide = (rule: Pick<Rule, "effect" | "pattern" | "confirmed_at">): boolean =>
  rule.effect === "allow" && rule.confirmed_at === null && wideWords(rule.pattern).length > 0;

/** Why it waits for a person, in one sentence. */
export const whyTooWide = ({ pattern }: Pick<Rule, "pattern">): string => {
  const words = wideWords(pattern);
  const told = words.slice(0, 5).join(" ") + (words.length > 5 ? " …" : "");
  return `It leaves open what ${pattern.program ?? "the program"} works on (${told}), not only a message, so it answers nothing until a person confirms it.`;
};
