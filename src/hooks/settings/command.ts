// This very Parley as a command that works from any folder, and as a line for a shell that fails closed.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../package.ts";

/** Node and its arguments, up to Parley's own. */
export function ownCommand(): string[] {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith(".js")) return [process.execPath, join(root, "dist", "src", "main.js")];
  return [process.execPath, "--import", import.meta.resolve("tsx"), join(root, "src", "main.ts")];
}

/** For `sh -c`. Whatever goes wrong, a Node that is gone too, is code 2: the one that blocks. */
export const hookLine = (client: string, seconds: number): string =>
  `${[...ownCommand(), "hook", client, "--timeout", String(seconds)].map(quoted).join(" ")} || exit 2`;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
