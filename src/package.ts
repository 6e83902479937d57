// Where this package stands, in a checkout and when installed, and what it says of itself.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function rootOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

export const root = rootOf(fileURLToPath(import.meta.url));
export const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

/** A file of a dependency, as `preact/dist/preact.mjs`, wherever npm has put it. */
export function dependencyFile(path: string): string {
  const folders = createRequire(join(root, "package.json")).resolve.paths(path) ?? [];
  const found = folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  if (!found) throw new Error(`${path} is not installed; run npm ci.`);
  return found;
}
