// What of Parley stands in a client's settings on this machine.
import { withPieces } from "./file.ts";
import { hasJson, readJson, valueAt } from "./json.ts";
import { withoutMark } from "./json-text.ts";
import { storeIn, tokenIn } from "./own.ts";
import type { Piece } from "./piece.ts";
import { inFile } from "./problem.ts";
import type { ClientSettings, Setup } from "./setup.ts";
import { isObject, mustBePlain } from "./shapes.ts";
import { textOf } from "./target.ts";
import { hasServer, readTables } from "./toml.ts";

export interface Standing {
  /** Whether Parley stands among its MCP servers. */
  connected: boolean;
  /** Whether it has a hook of Parley's, right or not. */
  gated: boolean;
  /** Undefined where none stands in a file. */
  token: string | undefined;
  transport: Setup["transport"];
  /** The store that it starts parley stdio on. */
  store: string | undefined;
}

/** @throws SettingsProblem where a file cannot be read, or is not what it should be */
export function standing(settings: ClientSettings, setup: Setup): Standing {
  const [server] = settings.connection(setup);
  const entry = server && entryOf(server);
  const token = settings.keepsNoToken ? undefined : tokenIn(entry);
  return {
    connected: entry !== undefined,
    gated: (settings.gates?.(setup) ?? []).some(isGate),
    token,
    transport: isObject(entry) && entry.command !== undefined ? "stdio" : "http",
    store: storeIn(entry),
  };
}

function entryOf(server: Piece): unknown {
  const text = textOf(server.file);
  if (text === null) return undefined;
  return inFile(server.file, () => {
    if (server.kind === "value") return valueAt(readJson(text), server.at);
    const tables = readTables(text);
    return hasServer(tables) ? (tables.mcp_servers as { parley: unknown }).parley : undefined;
  });
}

function isGate(piece: Piece): boolean {
  const text = piece.kind === "value" ? null : textOf(piece.file);
  if (text === null) return false;
  return inFile(piece.file, () => {
    if (piece.kind === "file") return piece.ours(text);
    if (piece.kind === "entry") return hasJson(text, piece);
    const { hooks } = readTables(text);
    return isObject(hooks) && Array.isArray(hooks.PreToolUse) && hooks.PreToolUse.some(piece.ours);
  });
}

/** All that Parley writes for a client, by the file it goes into. */
export function filesOf(settings: ClientSettings, setup: Setup, gated: boolean): Map<string, Piece[]> {
  const files = new Map<string, Piece[]>();
  const gates = gated ? (settings.gates?.(setup) ?? []) : [];
  // In a TOML file the gates' tables hold the connection's too.
  const connection = gates.some(({ kind }) => kind === "tables") ? [] : settings.connection(setup);
  for (const piece of [...connection, ...gates]) files.set(piece.file, [...(files.get(piece.file) ?? []), piece]);
  return files;
}

/** @throws SettingsProblem for the first of its files that the client would reject */
export function mustHaveShape(settings: ClientSettings, setup: Setup): void {
  for (const { file, plain, check } of settings.shapes?.(setup) ?? []) {
    const text = textOf(file);
    if (text === null) continue;
    inFile(file, () => {
      const root = file.endsWith(".toml") ? readTables(text) : readJson(text);
      if (plain) mustBePlain(withoutMark(text), plain);
      check?.(root);
    });
  }
}

/** The files that are not as connecting again would make them. */
export function differing(settings: ClientSettings, setup: Setup, gated: boolean): string[] {
  return [...filesOf(settings, setup, gated)].flatMap(([file, pieces]) => {
    const text = textOf(file);
    return withPieces(text, pieces) === text ? [] : [file];
  });
}
