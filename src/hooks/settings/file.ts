// A settings file with Parley's pieces in it: what it would be, and written so that nothing is lost: beside it stays a
// copy of what was there, a link stays a link, and what holds a token is for its owner alone.
import { copyFile, mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { putJson } from "./json.ts";
import type { Piece } from "./piece.ts";
import { putTables } from "./toml.ts";

/** A file that cannot be read as what it should be, or cannot take what belongs there. */
export class SettingsProblem extends Error {}

export const textOf = (file: string): Promise<string | null> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });

/** The text with all pieces in it; itself where they are there already. */
export function withPieces(text: string | null, pieces: readonly Piece[]): string {
  let now = text ?? "";
  for (const piece of pieces) {
    try {
      if (piece.kind === "file") now = piece.text;
      else now = piece.kind === "tables" ? putTables(now, piece) : putJson(now, piece);
    } catch (error) {
      throw new SettingsProblem(`${piece.file} was left as it is: ${(error as Error).message}.`);
    }
  }
  return now;
}

export interface Written {
  file: string;
  changed: boolean;
  backup: string | null;
}

/** @param stamp names the copy of what was there */
export async function writePieces(
  file: string,
  pieces: readonly Piece[],
  secret: boolean,
  stamp: string,
): Promise<Written> {
  const target = await realpath(file).catch(() => file);
  const was = await textOf(target);
  const now = withPieces(was, pieces);
  const mode = was === null ? null : (await stat(target)).mode & 0o777;
  const wanted = secret ? 0o600 : (mode ?? 0o644);
  if (now === was && mode === wanted) return { file, changed: false, backup: null };
  const backup = was === null || now === was ? null : `${target}.${stamp}.bak`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (backup) await copyFile(target, backup);
  const fresh = `${target}.${process.pid}.new`;
  await writeFile(fresh, now, { mode: wanted });
  await rename(fresh, target);
  return { file, changed: true, backup };
}
