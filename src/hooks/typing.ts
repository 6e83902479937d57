// Whether a command starts a program that reads further commands as they are typed: a shell, an interpreter, the console
// of a database, another machine. A client that asks once for the program does not ask for what is typed into it.
import type { ToolUse } from "../gates/tool-use.ts";
import { nameOf } from "../rules/runners.ts";
import { commandsIn, commandsOf } from "../rules/shell.ts";

const names = (text: string): Set<string> => new Set(text.split(/\s+/));

/** Shells and interpreters read from the terminal where no script and no code is named. */
const interpreters =
  names(`sh bash rbash dash zsh ksh mksh fish csh tcsh ash busybox su python ipython pypy perl ruby irb
  node deno bun php lua luajit tclsh wish rscript r julia ghci scala groovy jshell bc dc powershell pwsh cmd`);
/** Consoles of databases: the first word that is no option names the database, a second one is what it is to do. */
const consoles = names(
  "psql mysql mariadb sqlite sqlite3 duckdb mongo mongosh redis-cli sqlplus cqlsh clickhouse-client",
);
/** Another machine: the first word that is no option names it, a second one is what it is to run. */
const remotes = names("ssh mosh telnet nc ncat netcat ftp sftp socat");
/** What always waits for keys, and can start a shell from them. */
const screens = names("vi vim nvim emacs nano ed ex less more man top htop tmux screen script expect gdb lldb");
/** Options that say what is to be done, so that nothing is read from the terminal. */
const told = /^(?:-[a-z]*[cefm]|-E|-p|--(?:command|eval|execute|file|exec|print))(?:$|=)/;
/** Options of remotes that take the next word. */
const takes = /^-(?:[bceEfFiIJlLmoOpQRSwWD]|[LRD])$/;

/** The words that are no options; where a program's options take a word, without it. */
function operands(argv: readonly string[], isTaking: (option: string) => boolean): string[] {
  const found: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") found.push(word);
    else if (isTaking(word)) at++;
  }
  return found;
}

function waitsForKeys(argv: readonly string[]): boolean {
  const [program = "", ...rest] = argv;
  const name = nameOf(program);
  if (screens.has(name)) return true;
  if (remotes.has(name)) return operands(argv, (option) => takes.test(option)).length <= 1;
  if (consoles.has(name) || consoles.has(program))
    return !rest.some((word) => told.test(word)) && operands(argv, (option) => /^-[hpUudP]$/.test(option)).length <= 1;
  if (!interpreters.has(name)) return false;
  if (rest.some((word) => /^-[a-z]*[is][a-z]*$/.test(word) || word === "-")) return true;
  return !rest.some((word) => told.test(word)) && operands(argv, () => false).length === 0;
}

/** What cannot be read to its end may start anything, so it counts. */
export function readsCommands({ tool, input }: ToolUse): boolean {
  const line = input.command ?? input.cmd;
  const isWords = Array.isArray(line) && line.every((word) => typeof word === "string");
  // A patch is no command, though Codex sends it as one.
  if (tool === "apply_patch" || (typeof line !== "string" && !isWords)) return false;
  const commands = typeof line === "string" ? commandsIn(line) : commandsOf(line);
  return commands === null || commands.some(waitsForKeys);
}
