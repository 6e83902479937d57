// Shell commands as words. What an allow rule may match is one plain command, that every shell reads alike; what a
// deny or raise rule looks for are all commands that can be found in the line.
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { asIs } from "./glob.ts";
import { commandsBegin, linesIn } from "./runners.ts";

/** Bare characters that no shell takes for anything but themselves, on their own. */
const bare = String.raw`[\p{L}\p{N}\p{M}_\-.,/:@%+=]`;
const quotable = String.raw`[ \p{L}\p{N}\p{M}\p{P}\p{S}]`;
const single = String.raw`'(?:(?!['\\])${quotable})*'`;
// Within these a shell still sees substitutions.
const double = String.raw`"(?:(?!["\\$!\x60])${quotable})*"`;
const words = (bare: string) => {
  const word = `(?:${bare}|${single}|${double})+`;
  return { line: new RegExp(`^ *(?:${word}(?: +|$))+$`, "u"), word: new RegExp(word, "gu") };
};
const command = words(bare);
const pattern = words(`(?:${bare}|[*])`);
const quoted = /'([^']*)'|"([^"]*)"/g;
const longest = 10_000;

/** The argv of a line that is one plain command; null for all else: operators, expansions, comments, escapes, globs. */
export function argvOf(line: string): string[] | null {
  if (line.length > longest || !command.line.test(line)) return null;
  return (line.match(command.word) ?? []).map((word) => word.replace(quoted, "$1$2"));
}

/** Ends an argv pattern: whatever arguments follow. */
export const rest = "...";

/** One word of a pattern that matches this word alone. */
export const exactly = (word: string): string => (word === rest ? `\\${rest}` : asIs(word));

/** The argv pattern that a line says: bare `*` are wildcards, quoted ones are meant as they are; else null. */
export function argvPatternOf(line: string): string[] | null {
  if (line.length > longest || !pattern.line.test(line)) return null;
  return (line.match(pattern.word) ?? []).map((word) => {
    if (word === rest) return word;
    const said = word.replace(quoted, (_, one?: string, two?: string) => asIs(one ?? two ?? ""));
    return said === rest ? exactly(said) : said;
  });
}

/** How far words are followed inward: `sudo sh -c "env git push"`. */
const deepest = 3;
/** A wrapper with more words than this is too much to be read. */
const mostWords = 1000;

/** How much is read: the characters of a line, again for each of its expansions. It keeps to some milliseconds. */
const effort = 50_000;
const expansion = /\$[({]|[<>]\(|`/g;

/**
 * Every command that can be found in a line: behind operators, in substitutions and conditions, behind wrappers.
 * Null where the line is too much to be read.
 */
export function commandsIn(line: string, depth = 0): string[][] | null {
  if (line.length * (1 + (line.match(expansion)?.length ?? 0)) > effort) return null;
  const found: string[][] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name)
      found.push([node.name.value, ...node.args.map((word) => (word.type === "Word" ? word.value : word.text))]);
    forEachChild(node, visit);
  };
  try {
    visit(parse(line));
  } catch {
    // Nested so deeply that the parser gives up.
    return null;
  }
  return all(found.map((argv) => commandsOf(argv, depth)));
}

const all = (lists: ReadonlyArray<string[][] | null>): string[][] | null =>
  lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);

/** An argv, and what it runs where it is a wrapper. Null where that is too much to be read. */
export function commandsOf(argv: readonly string[], depth = 0): string[][] | null {
  const places = commandsBegin(argv);
  if (places.length > 0 && (argv.length > mostWords || argv.join(" ").length > effort)) return null;
  const found: Array<string[][] | null> = [[[...argv]]];
  for (const at of places) {
    found.push([argv.slice(at)]);
    for (const line of linesIn(argv[at] ?? ""))
      if (/[\s;&|<>()`$]/.test(line)) found.push(depth < deepest ? commandsIn(line, depth + 1) : null);
  }
  return all(found);
}
