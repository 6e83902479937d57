// Parley's part of a TOML settings file: tables at its end, between two comments, and nothing of the rest touched.
// What comes out is read again before it is believed.
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import type { TablesPiece } from "./piece.ts";

const begin = "# Parley, written by parley connect";
const end = "# Parley, end";
const block = new RegExp(`^${begin}\\r?\\n[\\s\\S]*?^${end}\\r?$`, "m");

type Tables = Record<string, unknown>;

/** @throws where the file is not TOML, or has tables of its own where Parley's belong */
export function putTables(text: string, piece: TablesPiece): string {
  const ours = `${begin}\n${piece.text.trim()}\n${end}`;
  if (block.exec(text)?.[0] === ours) return text;
  const before = read(text, "it is not TOML");
  const rest = text.replace(block, "").trimEnd();
  if (isTable(read(rest, "it is not TOML").mcp_servers, "parley"))
    throw new Error("it has a [mcp_servers.parley] of its own; take that out, then run this again");
  const whole = `${rest}${rest ? "\n\n" : ""}${ours}\n`;
  const after = read(whole, "Parley's tables do not fit behind what is there; put them in by hand");
  if (!isDeepStrictEqual(theirs(after, piece), theirs(before, piece)))
    throw new Error("something else would change; put Parley's tables in by hand");
  return whole;
}

export const hasTables = (text: string): boolean =>
  block.test(text) || isTable(read(text, "it is not TOML").mcp_servers, "parley");

/** What is there without Parley's server and hooks. */
function theirs({ mcp_servers, hooks, ...others }: Tables, piece: TablesPiece): Tables {
  const servers = Object.entries((mcp_servers ?? {}) as Tables).filter(([name]) => name !== "parley");
  const events = Object.entries((hooks ?? {}) as Tables)
    .map(([event, groups]) => [event, Array.isArray(groups) ? groups.filter((group) => !piece.ours(group)) : groups])
    .filter(([, groups]) => !Array.isArray(groups) || groups.length > 0);
  return { ...others, servers: Object.fromEntries(servers), events: Object.fromEntries(events) };
}

const isTable = (value: unknown, name: string): boolean => typeof value === "object" && value !== null && name in value;

function read(text: string, otherwise: string): Tables {
  try {
    return parse(text) as Tables;
  } catch {
    throw new Error(otherwise);
  }
}
