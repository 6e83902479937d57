// This very Parley as a command that works from any folder, and as a line for a shell that fails closed: whatever goes
// wrong, a Node that is gone too, the line ends with 2, the code that blocks.
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

export type Shell = "sh" | "powershell";

/** Node and its arguments, up to Parley's own. */
export function ownCommand(): string[] {
  const compiled = import.meta.url.endsWith(".js");
  const main = fileURLToPath(new URL(compiled ? "../../main.js" : "../../main.ts", import.meta.url));
  return compiled ? [process.execPath, main] : [process.execPath, "--import", import.meta.resolve("tsx"), main];
}

/** The line that a client runs as its hook. */
export function hookLine(client: string, seconds: number, shell: Shell = "sh", own = ownCommand()): string {
  const words = [...own, "hook", client, "--timeout", String(seconds)];
  if (shell === "sh") return `${words.map(quotedForSh).join(" ")} || exit 2`;
  return `${powershellStart}${words.map(quotedForPowershell).join(" ")}${powershellEnd}`;
}

// A program that is not there throws in PowerShell, and leaves $LASTEXITCODE as it was. Windows PowerShell 5.1 has no ||.
const powershellStart = "try { & ";
const powershellEnd = "; if ($LASTEXITCODE -eq 0) { exit 0 } } catch { }; exit 2";

const quotedForSh = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
const quotedForPowershell = (word: string): string => `'${word.replaceAll("'", "''")}'`;

const shWord = /(?:[\w@%+=:,./-]+|'(?:[^']|'\\'')*')/y;
const powershellWord = /'(?:[^']|'')*'/y;

/** Whether `connect` wrote this line for the client, from here or from another place or version of Parley. */
export function isHookLine(line: string, client: string): boolean {
  const words = line.startsWith(powershellStart)
    ? wordsIn(line.slice(powershellStart.length), powershellWord, powershellEnd)?.map((word) =>
        word.slice(1, -1).replaceAll("''", "'"),
      )
    : wordsIn(line, shWord, " || exit 2")?.map((word) =>
        word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word,
      );
  const own = words?.slice(0, -4);
  const [verb, of, option, seconds] = words?.slice(-4) ?? [];
  if (!own || verb !== "hook" || of !== client || option !== "--timeout" || !/^\d+$/.test(seconds ?? "")) return false;
  const [node = "", ...rest] = own;
  if (!/[\\/]node(?:\.exe)?$/.test(node)) return false;
  if (isDeepStrictEqual(rest, ownCommand().slice(1))) return true;
  if (rest.length === 1) return /[\\/]dist[\\/]src[\\/]main\.js$/.test(rest[0] ?? "");
  const [how, loader = "", main = ""] = rest;
  return rest.length === 3 && how === "--import" && /\/tsx\//.test(loader) && /[\\/]src[\\/]main\.ts$/.test(main);
}

/** The words of a line that ends so, each parted from the next by one blank; null where it is no such line. */
function wordsIn(line: string, word: RegExp, end: string): string[] | null {
  const words: string[] = [];
  for (let at = 0; ; ) {
    word.lastIndex = at;
    const [found] = word.exec(line) ?? [];
    if (found === undefined) return null;
    words.push(found);
    at += found.length;
    if (line.slice(at) === end) return words;
    if (line[at] !== " ") return null;
    at += 1;
  }
}
