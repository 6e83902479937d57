// Parley's part of a TOML settings file: tables between two comments, and nothing of the rest touched. What comes out is
// read again before it is believed.
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import type { TablesPiece } from "./piece.ts";
import { Unusable } from "./problem.ts";

const begin = "# Parley, written by parley connect";
const end = "# Parley, end";

/** The tables that Parley writes; a client may write tables of its own among them, before the last comment. */
const ownTable = /^\[(?:mcp_servers\.parley(?:\.\w+)?|\[hooks\.PreToolUse(?:\.hooks)?\])\]$/;

type Tables = Record<string, unknown>;

/** @throws Unusable where the file is not TOML, or has tables of its own where Parley's belong */
export function putTables(text: string, piece: TablesPiece): string {
  const before = readTables(text);
  const wanted = `${begin}\n${piece.text.trim()}\n${end}\n`;
  const { ahead, own, foreign, behind } = parted(text);
  if (own !== null && own.trim() === piece.text.trim()) return text;
  if (hasServer(own === null ? before : readTables(`${ahead}${foreign}${behind}`)))
    throw new Unusable("it has a [mcp_servers.parley] of its own", "take that table out");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = wanted.replaceAll("\n", eol);
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
  const now = own === null ? `${text}${gap}${block}` : [ahead, block, foreign, behind].join("");
  if (
    !isDeepStrictEqual(
      others(readTables(now, "Parley's tables do not fit to what is there"), piece),
      others(before, piece),
    )
  )
    throw new Unusable("something else in it would change", "put Parley's tables in by hand");
  return now;
}

interface Parts {
  ahead: string;
  /** The lines of Parley's own tables; null where there are none between the comments. */
  own: string | null;
  /** What else stands between the comments. */
  foreign: string;
  behind: string;
}

function parted(text: string): Parts {
  const lines = text.split(/(?<=\n)/);
  const is = (line: string | undefined, mark: string) => line?.trimEnd() === mark;
  const from = lines.findIndex((line) => is(line, begin));
  if (from < 0) return { ahead: text, own: null, foreign: "", behind: "" };
  const to = lines.findIndex((line, at) => at > from && is(line, end));
  const last = to < 0 ? lines.length : to;
  let mine = true;
  const own: string[] = [];
  const foreign: string[] = [];
  for (const line of lines.slice(from + 1, last)) {
    if (/^\s*\[/.test(line)) mine = ownTable.test(line.trim());
    (mine ? own : foreign).push(line);
  }
  return {
    ahead: lines.slice(0, from).join(""),
    own: own.join("").replaceAll("\r\n", "\n"),
    foreign: foreign.join(""),
    behind: lines.slice(last + 1).join(""),
  };
}

/** Whether Parley stands among the MCP servers of such a file. */
export const hasServer = ({ mcp_servers }: Tables): boolean =>
  typeof mcp_servers === "object" && mcp_servers !== null && "parley" in mcp_servers;

/** What is there without Parley's server and hooks. */
function others({ mcp_servers, hooks, ...rest }: Tables, piece: TablesPiece): Tables {
  const servers = Object.entries((mcp_servers ?? {}) as Tables).filter(([name]) => name !== "parley");
  const events = Object.entries((hooks ?? {}) as Tables)
    .map(([event, groups]) => [event, Array.isArray(groups) ? groups.filter((group) => !piece.ours(group)) : groups])
    .filter(([, groups]) => !Array.isArray(groups) || groups.length > 0);
  return { ...rest, servers: Object.fromEntries(servers), events: Object.fromEntries(events) };
}

/** @throws Unusable where the text is not TOML */
export function readTables(text: string, otherwise = "it is not TOML"): Tables {
  try {
    return parse(text) as Tables;
  } catch (error) {
    const { line } = error as { line?: number };
    throw new Unusable(`${otherwise}${line === undefined ? "" : ` (line ${line})`}`, "mend that line");
  }
}
