// What `parley connect` knows when it sets a client up, and what each client's file of this folder tells about it.
import type { Piece } from "./piece.ts";

export interface Setup {
  /** Parley's, without a slash at the end. */
  url: string;
  token: string;
  /** Whether the token itself is written, or the name of the variable PARLEY_TOKEN. */
  tokenBy: "file" | "variable";
  /** How the client reaches Parley: over HTTP, or by starting `parley stdio` on the store. */
  transport: "http" | "stdio";
  /** For `parley stdio`: the store's file, an absolute path, or a PostgreSQL address. */
  store: string;
  /** The user's. */
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** Why a client would not run its hooks now. */
export interface Idle {
  why: string;
  todo: string;
}

/** A file that one wrong shape makes the client reject as a whole, or all hooks in it. */
interface Shape {
  file: string;
  /** Where the client reads no comma behind a last entry, and comments or not. */
  plain?: { comments: boolean };
  /** @throws Unusable */
  check?(root: Record<string, unknown>): void;
}

export interface ClientSettings {
  title: string;
  /** Its MCP server and what lets it use it; the first piece is the server. */
  connection(setup: Setup): Piece[];
  /** The hooks that make it ask; absent where it has no such thing. */
  gates?(setup: Setup): Piece[];
  /** It reads the token from PARLEY_TOKEN or asks for it, and never from its settings. */
  keepsNoToken?: "variable" | "prompt";
  shapes?(setup: Setup): Shape[];
  /** @param project the folder that the client is started in; null where that is not known */
  idle?(setup: Setup, project: string | null): Idle[];
  /** What its person has to know or do besides. */
  notes(setup: Setup, gates: boolean): string[];
  /** One command that connects it over HTTP. */
  byHand?(setup: Setup): string;
}

/** Seconds that a client gives a hook, and that the hook takes of it: it must be first to end. */
export const hookLimit = 600;
export const hookWait = 540;

export const mcp = ({ url }: Setup): string => `${url}/mcp`;

/** @param variable PARLEY_TOKEN in the client's own syntax */
export const bearer = ({ token, tokenBy }: Setup, variable: string): { Authorization: string } => ({
  Authorization: `Bearer ${tokenBy === "file" ? token : variable}`,
});
