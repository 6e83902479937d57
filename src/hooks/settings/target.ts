// Where a settings file really lies, and whether it can be written there: links are followed, and stay.
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SettingsProblem } from "./problem.ts";

export interface Target {
  /** As it is named. */
  file: string;
  /** Where the links lead; there it is written. */
  path: string;
  /** Null where nothing is there yet. */
  stats: Stats | null;
}

/** How many links may lead to each other. */
const links = 40;

/** @throws SettingsProblem where the file could not be written */
export function targetOf(file: string): Target {
  let path = file;
  for (let left = links; ; left -= 1) {
    path = join(realFolder(file, dirname(path)), basename(path));
    const stats = look(file, path);
    if (!stats?.isSymbolicLink()) return writable({ file, path, stats });
    if (left === 0) throw circle(file);
    const next = resolve(dirname(path), readlinkSync(path));
    if (!existsSync(dirname(next)))
      throw new SettingsProblem(
        file,
        `it is a link to ${next}, and that folder is not there`,
        "make the folder or take the link away",
      );
    path = next;
  }
}

function look(file: string, path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The folder with its own links followed; what is not there yet stays as it is named. */
function realFolder(file: string, folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw unreadable(file, error);
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(file, above), basename(folder));
  }
}

function writable(target: Target): Target {
  const { file, path, stats } = target;
  if (stats?.isDirectory()) throw new SettingsProblem(file, "it is a folder", "move the folder away");
  if (stats && !stats.isFile()) throw noFile(file);
  if (stats && (stats.mode & 0o222) === 0)
    throw new SettingsProblem(
      file,
      path === file ? "it is marked read-only" : `it leads to ${path}, which is marked read-only`,
      `change it where it is made, or allow it: chmod u+w ${path}`,
    );
  const held = existing(dirname(path));
  for (const place of stats ? [path, held] : [held])
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      throw new SettingsProblem(file, `${place} cannot be written (${codeOf(error)})`, "get the right to write there");
    }
  return target;
}

/** The nearest folder above that is there. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const noFile = (file: string) => new SettingsProblem(file, "it is no plain file", "move it away");

const circle = (file: string) => new SettingsProblem(file, "its links lead in a circle", "take the link away");

const unreadable = (file: string, error: unknown): SettingsProblem => {
  const code = codeOf(error);
  if (code === "ENOTDIR") return new SettingsProblem(file, "a part of its path is no folder", "move that away");
  if (code === "ELOOP") return circle(file);
  return new SettingsProblem(file, `it cannot be read (${code})`, "get the right to read it");
};

/**
 * The text of a file; null where it is not there.
 * @throws SettingsProblem where it cannot be read, or is not UTF-8
 */
export function textOf(file: string): string | null {
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    // A pipe or a device could be read for ever.
    if (!stats.isFile() && !stats.isDirectory()) throw noFile(file);
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof SettingsProblem) throw error;
    if (codeOf(error) === "ENOENT") return null;
    if (codeOf(error) === "EISDIR") throw new SettingsProblem(file, "it is a folder", "move the folder away");
    throw unreadable(file, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SettingsProblem(file, "it is not UTF-8 text", "save it as UTF-8");
  }
}

/** The git work tree that a file lies in, as it is named or where its links lead; null where there is none. */
export function workTreeOf(file: string): string | null {
  const { path } = targetOf(file);
  return treeAbove(dirname(file)) ?? treeAbove(dirname(path));
}

export function treeAbove(folder: string): string | null {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? null : treeAbove(dirname(folder));
}
