// Globs on one text: `*` stands for any characters but `/`, `**` for any, `\` takes the next character as it is.
// Never a regular expression: what an agent sends is compared in time that grows with its length alone.

const part = /\\[\s\S]|\*\*|\*|[\s\S]/gu;
const isWild = (one: string | undefined): boolean => one === "*" || one === "**";
const said = (one: string): string => (one.length > 1 && one.startsWith("\\") ? one.slice(1) : one);

/**
 * How it is compared. `anywhere`: as deny and raise look. As allow rules match, wildcards stand for plain characters,
 * never for an option, the root or `..`: in a `word` of a command, or in a `value`, where one `*` keeps to one item.
 */
export type Manner = "anywhere" | "word" | "value";

/** No text longer than this is allowed by a wildcard. */
const longest = 4096;
/** How much is looked at: characters, for each part of the pattern. It keeps to some tens of milliseconds. */
const effort = 2_000_000;

/** What a wildcard of an allow rule stands for: nothing that a shell, a URL or another program takes as an order. */
const plain = /[\p{L}\p{N}\p{M} _\-.,/:@+=]/u;
/** What it begins with, so that it is no option (-f), order (+main, :main), file of options (@x), path from the root or assignment (CC=x). */
const begins = /^(?![A-Za-z]:[/\\]|[A-Za-z_]\w*\+?=)[\p{L}\p{N}\p{M}_.]/u;
/**
 * Behind these, first of all, or anywhere in a short option, `@` names a file of further options, or of what is sent:
 * `@opts`, `--data=@x`, `-d@x`.
 */
const parted = /[=,\s]/;
const climbs = /(?:^|[/\\])\.\.(?:[/\\]|$)/;

/** The pattern that matches this text alone. */
export const asIs = (text: string): string => text.replace(/[\\*]/g, "\\$&");

/** The one text that a pattern without wildcards matches; null where it has some. */
export function literal(pattern: string): string | null {
  const parts = pattern.match(part) ?? [];
  return parts.some(isWild) ? null : parts.map(said).join("");
}

/** Why a wildcard of an allow rule would match nothing there; null where it may match. */
export function deadEnd(pattern: string): string | null {
  if (literal(pattern) !== null) return null;
  if (climbs.test(pattern)) return `no part of a path is left open beside ..: write ${pattern} out.`;
  if (/(?:^|[=,\s]|^-[^-].*)@\*/.test(pattern))
    return `${pattern} would leave open a file of options: write its name out.`;
  return null;
}

/** Whether it is more than is looked at. */
export const isTooMuch = (pattern: string, text: string): boolean =>
  literal(pattern) === null && pattern.length * text.length > effort;

export function glob(pattern: string, text: string, manner: Manner): boolean {
  const alone = literal(pattern);
  if (alone !== null) return alone === text;
  const plainly = manner !== "anywhere";
  if (plainly ? text.length > longest : isTooMuch(pattern, text)) return false;
  const parts = pattern.match(part) ?? [];
  if (plainly && (climbs.test(text) || (isWild(parts[0]) && !begins.test(text)))) return false;
  const stops = manner === "value" ? /[/, @]/ : /\//;
  let reached = through(parts, [0]);
  // Whether an item begins here, and whether the `@` of a file stands just before.
  const isShort = /^-[^-]/.test(text);
  let [first, inFile] = [true, false];
  for (const character of text) {
    const next: number[] = [];
    const isHere = (first || isShort) && character === "@";
    const isOpen = (one: string) =>
      (one === "**" || !stops.test(character)) && (!plainly || (plain.test(character) && !isHere && !inFile));
    for (const at of reached) {
      const one = parts[at];
      if (one === undefined) continue;
      if (!isWild(one)) {
        if (said(one) === character) next.push(at + 1);
      } else if (isOpen(one)) next.push(at);
    }
    [first, inFile] = [parted.test(character), isHere];
    reached = through(parts, next);
  }
  return reached.has(parts.length);
}

/** These places, and those behind wildcards that stand for nothing. */
function through(parts: readonly string[], places: readonly number[]): Set<number> {
  const reached = new Set(places);
  // What is added is visited too.
  for (const at of reached) if (isWild(parts[at])) reached.add(at + 1);
  return reached;
}
