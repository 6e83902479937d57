// What of Parley stands in a client's settings on this machine.
import { homedir } from "node:os";
import { type ClientSettings, hookOfOurs, type Setup } from "./clients.ts";
import { SettingsProblem, textOf, withPieces } from "./file.ts";
import { hasJson, valueAt } from "./json.ts";
import type { Piece } from "./piece.ts";
import { hasTables } from "./toml.ts";

export const setupHere = (url: string, token: string): Setup => ({
  url,
  token,
  home: homedir(),
  env: process.env,
  platform: process.platform,
});

export function filesOf(pieces: readonly Piece[]): Map<string, Piece[]> {
  const files = new Map<string, Piece[]>();
  for (const piece of pieces) files.set(piece.file, [...(files.get(piece.file) ?? []), piece]);
  return files;
}

/** The token that its connection has. */
export async function tokenIn({ tokenAt, pieces }: ClientSettings, setup: Setup): Promise<string | undefined> {
  const [piece] = pieces(setup, false);
  const text = tokenAt && piece ? await textOf(piece.file) : null;
  if (!text || !tokenAt || !piece) return undefined;
  const found = looked(piece.file, () => valueAt(text, tokenAt));
  return typeof found === "string" ? /^Bearer (\S+)$/.exec(found)?.[1] : undefined;
}

/** Whether Parley stands among its MCP servers. */
export function isConnected(settings: ClientSettings, setup: Setup): Promise<boolean> {
  return any(settings.pieces(setup, false), (piece, text) =>
    piece.kind === "tables" ? hasTables(text) : piece.kind === "value" && hasJson(text, piece),
  );
}

/** Whether it has a hook of Parley's, right or not. */
export async function isGated(settings: ClientSettings, setup: Setup): Promise<boolean> {
  if (!settings.hasGates) return false;
  return any(settings.pieces(setup, true), (piece, text) => {
    if (piece.kind === "tables") return hookOfOurs.test(text);
    return piece.kind === "file" || (piece.kind === "entry" && hasJson(text, piece));
  });
}

/** The files that switch all its hooks off, for whoever starts it in this project. */
export async function hooksOff({ offSwitch }: ClientSettings, setup: Setup, project: string): Promise<string[]> {
  const off: string[] = [];
  const { files, at } = offSwitch?.(setup, project) ?? { files: [], at: [] };
  for (const file of new Set(files)) {
    const text = await textOf(file);
    if (text !== null && looked(file, () => valueAt(text, at)) === true) off.push(file);
  }
  return off;
}

/** The files that are not as connecting again would make them. */
export async function differing(settings: ClientSettings, setup: Setup, gates: boolean): Promise<string[]> {
  const different: string[] = [];
  for (const [file, pieces] of filesOf(settings.pieces(setup, gates))) {
    const text = await textOf(file);
    if (withPieces(text, pieces) !== text) different.push(file);
  }
  return different;
}

async function any(pieces: readonly Piece[], is: (piece: Piece, text: string) => boolean): Promise<boolean> {
  for (const piece of pieces) {
    const text = await textOf(piece.file);
    if (text !== null && looked(piece.file, () => is(piece, text))) return true;
  }
  return false;
}

function looked<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw new SettingsProblem(`${file} cannot be used: ${(error as Error).message}.`);
  }
}
