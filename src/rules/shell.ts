// Shell commands as words. What an allow rule may match is one plain command, that every shell reads alike; what a
// deny or raise rule looks for are all commands that can be found in the line.
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { asIs } from "./glob.ts";

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

/** What a program's name says, without its folder, version and ending. */
export const nameOf = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "")
    .replace(/[-.\d]+$/, "");

/** Programs that run what their arguments say. */
const runners = new Set(
  `sudo doas su runuser pkexec env nice ionice nohup setsid stdbuf time timeout chroot unshare nsenter xargs parallel
  watch entr flock strace ltrace gdb expect batch crontab systemd-run sh bash rbash dash zsh ksh mksh fish csh tcsh ash
  busybox toybox eval exec source command builtin python pypy perl ruby node deno bun php lua luajit tclsh wish rscript
  ghci irb awk gawk mawk nawk sed ed ex vi vim nvim emacs ssh mosh rsync sftp docker podman nerdctl kubectl oc npx bunx
  pnpx uvx pipx dlx tmux screen powershell pwsh cmd wsl osascript cscript wscript mshta rundll`.split(/\s+/),
);
/** Words of the shell itself that stand where a program would. */
const keywords = new Set(
  ". ! { ( [[ if then elif else while until do for case select function coproc trap alias".split(" "),
);
/** Options that carry something to run. */
const carriers = new Set(
  `-c -e -exec -execdir -ok -okdir --eval --exec --execute --command --config-env --exec-path --upload-pack
  --receive-pack --to-command --checkpoint-action --use-compress-program --rsh`.split(/\s+/),
);
const isRunner = (word: string): boolean => runners.has(nameOf(word));
const isCarrier = (word: string): boolean => carriers.has(word.split("=")[0] ?? "");

/** Leading assignments, interpreters, wrappers: what runs is not what stands in front. */
export function runsAnother(argv: readonly string[]): boolean {
  const first = argv[0] ?? "";
  return (
    /^[A-Za-z_]\w*\+?=/.test(first) || keywords.has(first) || argv.some((word) => isRunner(word) || isCarrier(word))
  );
}

/** How far words are followed inward: `sudo sh -c "env git push"`. */
const deepest = 3;
/** Where in a wrapper's arguments its command is looked for. */
const furthest = 20;

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

/** An argv, and what it runs where it is a wrapper. */
export function commandsOf(argv: readonly string[], depth = 0): string[][] | null {
  const found: Array<string[][] | null> = [[[...argv]]];
  for (let at = 1; at < Math.min(argv.length, furthest); at++) {
    if (!isRunner(argv[0] ?? "") && !isCarrier(argv[at - 1] ?? "")) continue;
    found.push([argv.slice(at)]);
    const word = argv[at] ?? "";
    if (/\s/.test(word)) found.push(depth < deepest ? commandsIn(word, depth + 1) : null);
  }
  return all(found);
}
