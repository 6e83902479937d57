// This very Parley as a command that works from any folder, and as a line for a shell that fails closed.
import { fileURLToPath } from "node:url";

/** Node and its arguments, up to Parley's own. */
export function ownCommand(): string[] {
  const compiled = import.meta.url.endsWith(".js");
  const main = fileURLToPath(new URL(compiled ? "../../main.js" : "../../main.ts", import.meta.url));
  return compiled ? [process.execPath, main] : [process.execPath, "--import", import.meta.resolve("tsx"), main];
}

/** For `sh -c`. Whatever goes wrong, a Node that is gone too, is code 2: the one that blocks. */
export const hookLine = (client: string, seconds: number): string =>
  `${[...ownCommand(), "hook", client, "--timeout", String(seconds)].map(quoted).join(" ")} || exit 2`;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
