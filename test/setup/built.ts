// Parley compiled, as it is published: a process of it starts in a third of the time. Compiled once per state of the
// source, whoever needs it first.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../src/package.ts";

const cache = join(root, "node_modules", ".cache", "parley");
const hour = 3_600_000;

/** The file to start with Node. */
export async function built(): Promise<string> {
  const folder = join(cache, await state());
  const main = join(folder, "src", "main.js");
  if (existsSync(main)) return main;
  await mkdir(cache, { recursive: true });
  await tidy();
  const making = await mkdtemp(join(cache, "making-"));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  // Types are checked elsewhere; here only what comes out counts.
  await promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", making], {
    cwd: root,
  }).catch(() => {});
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  return main;
}

async function state(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await readdir(join(root, "src"), { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
  for (const file of files) hash.update(file).update(await readFile(join(root, "src", file)));
  for (const file of ["seed.ts", "tsconfig.build.json", "public/words/tool-use.js"])
    hash.update(await readFile(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

async function tidy(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    if (Date.now() - (await stat(folder)).mtimeMs > hour) await rm(folder, { recursive: true, force: true });
  }
}
