// A made-up settings file, as people and clients write them, and what it is with Parley's part in it, byte for byte.
// In the texts @line@ is the hook's line, and @own@ an earlier line of Parley's, from another place.
import type { ConnectOptions } from "../../../../src/commands/connect.ts";

export interface Kept {
  shape: string;
  client: string;
  options?: ConnectOptions;
  before: Record<string, string>;
  after: Record<string, string>;
}

export const gates = { gates: true };

export const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
