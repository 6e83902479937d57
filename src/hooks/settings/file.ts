// Settings files with Parley's pieces in them, written together or not at all. What was there is kept in a copy, a link
// stays a link, and what holds a token is for its owner alone.
import { chownSync, constants, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { putJson } from "./json.ts";
import { withoutMark } from "./json-text.ts";
import type { Piece } from "./piece.ts";
import { inFile, SettingsProblem, Unusable } from "./problem.ts";
import { codeOf, type Target, targetOf, textOf, treeAbove } from "./target.ts";
import { putTables } from "./toml.ts";

/** What is to be written, as far as all of it can be known before. */
export interface Plan extends Target {
  was: string | null;
  now: string;
  /** Permissions, as of `chmod`. */
  mode: number;
  changed: boolean;
}

export interface Written {
  file: string;
  changed: boolean;
  /** The copy of what was there. */
  copy: string | null;
}

/**
 * The text with all pieces in it; itself where they are there already.
 * @throws SettingsProblem where it cannot take them
 */
export function withPieces(text: string | null, pieces: readonly Piece[]): string {
  return pieces.reduce((now, piece) => inFile(piece.file, () => withPiece(now, piece)), text ?? "");
}

function withPiece(text: string, piece: Piece): string {
  if (piece.kind === "tables") return putTables(text, piece);
  if (piece.kind !== "file") {
    const now = putJson(text, piece);
    return now === text ? text : withoutMark(now);
  }
  if (text !== "" && !piece.ours(text)) throw new Unusable("it is not what parley connect wrote", "move it away");
  return piece.text;
}

/**
 * @param secret whether the file holds one
 * @throws SettingsProblem where it cannot be read, cannot take the pieces, or cannot be written
 */
export function planOf(file: string, pieces: readonly Piece[], secret: boolean): Plan {
  const target = targetOf(file);
  const was = textOf(target.path);
  const now = withPieces(was, pieces);
  const stood = target.stats ? target.stats.mode & 0o777 : null;
  const mode = secret ? 0o600 : (stood ?? 0o644);
  return { ...target, was, now, mode, changed: now !== was || mode !== stood };
}

/** Where copies go. */
export interface Copies {
  /** Names them. */
  stamp: string;
  /** A folder for those that would lie in a git work tree. */
  elsewhere: string;
}

/**
 * Writes all or none.
 * @throws SettingsProblem where one of them cannot be written
 */
export function writeTogether(plans: readonly Plan[], copies: Copies): Written[] {
  return orNone(plans, (undo, at) => {
    const ready = plans.map((plan) => ({ ...prepared(at(plan), copies, undo), plan }));
    return ready.map(({ plan, fresh, copy }) => {
      if (fresh !== null) replace(at(plan), fresh, undo);
      return { file: plan.file, changed: fresh !== null, copy };
    });
  });
}

/**
 * Writes all that would be written, replaces nothing, and takes it away again.
 * @throws SettingsProblem where one of them cannot be written
 */
export function rehearse(plans: readonly Plan[], copies: Copies): void {
  orNone(plans, (undo, at) => {
    for (const plan of plans) prepared(at(plan), copies, undo);
    takeBack(undo);
  });
}

const takeBack = (undo: ReadonlyArray<() => void>): void => {
  for (const step of [...undo].reverse()) step();
};

/** @param work tells by its second argument which plan it is at */
function orNone<T>(plans: readonly Plan[], work: (undo: Array<() => void>, at: (plan: Plan) => Plan) => T): T {
  const undo: Array<() => void> = [];
  let current = plans[0]?.file ?? "";
  const at = (plan: Plan) => {
    current = plan.file;
    return plan;
  };
  try {
    return work(undo, at);
  } catch (error) {
    takeBack(undo);
    throw new SettingsProblem(current, `it cannot be written (${codeOf(error)})`, "get the right to write there");
  }
}

/** The new text in a file beside, and the copy: nothing has changed yet. */
function prepared(plan: Plan, copies: Copies, undo: Array<() => void>): { fresh: string | null; copy: string | null } {
  const { path, now, was, mode, stats, changed } = plan;
  if (!changed) return { fresh: null, copy: null };
  makeFolder(dirname(path), undo);
  const fresh = `${path}.${process.pid}.new`;
  undo.push(() => rmSync(fresh, { force: true }));
  writeFileSync(fresh, now, { mode });
  if (stats && (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.()))
    chownSync(fresh, stats.uid, stats.gid);
  return { fresh, copy: was === null || now === was ? null : copied(plan, copies, undo) };
}

function makeFolder(folder: string, undo: Array<() => void>): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) undo.push(() => rmSync(made, { recursive: true, force: true }));
}

/** Beside the file as it is named; never in a git work tree, and never over another copy. */
function copied({ file, path }: Plan, { stamp, elsewhere }: Copies, undo: Array<() => void>): string {
  const folder = treeAbove(dirname(file)) === null ? dirname(file) : elsewhere;
  makeFolder(folder, undo);
  for (let more = 1; ; more += 1) {
    const copy = join(folder, `${basename(file)}.${stamp}${more === 1 ? "" : `-${more}`}.bak`);
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw error;
    }
    undo.push(() => rmSync(copy, { force: true }));
    return copy;
  }
}

function replace({ path, was, mode, stats }: Plan, fresh: string, undo: Array<() => void>): void {
  renameSync(fresh, path);
  undo.push(() => {
    if (was === null) return rmSync(path, { force: true });
    writeFileSync(fresh, was, { mode: stats ? stats.mode & 0o777 : mode });
    renameSync(fresh, path);
  });
}
