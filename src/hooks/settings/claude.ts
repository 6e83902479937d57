// Claude Code: ~/.claude.json holds its MCP servers, ~/.claude/settings.json what it may do and its hooks.
import { join } from "node:path";
import { mustBeClaude } from "./claude-shapes.ts";
import { hookLine } from "./command.ts";
import { readJson, valueAt } from "./json.ts";
import { hookEntry, server, stdioCommand, variable } from "./own.ts";
import type { EntryPiece, Piece } from "./piece.ts";
import { inFile, Unusable } from "./problem.ts";
import { bearer, type ClientSettings, hookLimit, hookWait, type Idle, mcp, type Setup } from "./setup.ts";
import { textOf } from "./target.ts";

const folder = ({ env, home }: Setup): string => env.CLAUDE_CONFIG_DIR || join(home, ".claude");
const serversFile = ({ env, home }: Setup): string => join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");
const settingsFile = (setup: Setup): string => join(folder(setup), "settings.json");

// biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
const byName = "${PARLEY_TOKEN}";

/** Lets every tool of the server that is called parley run without a question in the terminal. */
const allowed = "mcp__parley";

const allowance = (setup: Setup): EntryPiece => ({
  kind: "entry",
  file: settingsFile(setup),
  at: ["permissions", "allow"],
  value: allowed,
  ours: (entry) => entry === allowed,
});

/**
 * Longer than the longest answer: permission_prompt holds 600 s.
 * In milliseconds.
 */
const timeout = 660_000;

function entry(setup: Setup): object {
  if (setup.transport === "http") return { type: "http", url: mcp(setup), headers: bearer(setup, byName), timeout };
  const { command, args, env } = stdioCommand(setup);
  const token = setup.tokenBy === "file" ? setup.token : byName;
  return { type: "stdio", command, args, env: { ...env, PARLEY_TOKEN: token }, timeout };
}

/** A regular expression looks anywhere unless it is held at both ends: TodoWrite is none of these. */
const matcher =
  "^(?:Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch" +
  // Monitor runs a shell command or opens a socket, REPL runs code, the other two send to the network.
  "|Monitor|REPL|Artifact|RemoteTrigger" +
  // Parley's own tools are single words joined by _; a server called parley__x has another __ in its tools' names.
  "|mcp__(?!parley__[a-z]+(?:_[a-z]+)*$).+)$";

function gates(setup: Setup): Piece[] {
  const file = settingsFile(setup);
  const command = hookLine("claude-code", hookWait);
  return [
    variable(file, "PARLEY_URL", setup.url),
    variable(file, "PARLEY_TOKEN", setup.tokenBy === "file" ? setup.token : undefined),
    hookEntry("claude-code", file, ["hooks", "PreToolUse"], {
      matcher,
      hooks: [{ type: "command", command, timeout: hookLimit, onFailure: "block" }],
    }),
  ];
}

/** For one comment or one comma too many Claude Code drops all settings of the file. */
const plain = { comments: false };

/** What denies or asks comes before what allows. */
function mustNotForbid(root: Record<string, unknown>): void {
  for (const list of ["deny", "ask"]) {
    const rules = valueAt(root, ["permissions", list]);
    const found = Array.isArray(rules) && rules.find((rule) => rule === allowed || rule === `${allowed}__*`);
    if (found)
      throw new Unusable(`its "permissions.${list}" has ${found}, which comes before what allows it`, "take that out");
  }
}

/** The user's settings and the project's: each can switch all hooks off, and send the hook to another server. */
function idle(setup: Setup, project: string | null): Idle[] {
  const folders = [folder(setup), ...(project === null ? [] : [join(project, ".claude")])];
  const files = folders.flatMap((where) => ["settings.json", "settings.local.json"].map((name) => join(where, name)));
  return [...new Set(files)].flatMap((file): Idle[] => {
    const text = textOf(file);
    if (text === null) return [];
    const root = inFile(file, () => readJson(text));
    const found: Idle[] = [];
    if (valueAt(root, ["disableAllHooks"]) === true)
      found.push({ why: `${file} switches all hooks off`, todo: "nothing is gated; take disableAllHooks out" });
    // In the file that connect writes this variable is Parley's own part.
    const url = file === settingsFile(setup) ? undefined : valueAt(root, ["env", "PARLEY_URL"]);
    if (url !== undefined && url !== setup.url)
      found.push({
        why: `${file} sets another PARLEY_URL`,
        todo: "the hook would ask that server and send it the token; take PARLEY_URL out of its env",
      });
    return found;
  });
}

export const claude: ClientSettings = {
  title: "Claude Code",
  connection: (setup) => [server(serversFile(setup), ["mcpServers", "parley"], entry(setup)), allowance(setup)],
  gates,
  shapes: (setup) => [
    { file: serversFile(setup), plain },
    {
      file: settingsFile(setup),
      plain,
      check(root) {
        mustBeClaude(root);
        mustNotForbid(root);
      },
    },
  ],
  idle,
  byHand: (setup) =>
    `claude mcp add --transport http -s user parley ${mcp(setup)} --header "Authorization: Bearer ${setup.token}"`,
  notes: (setup, gated) => [
    `Claude Code uses Parley's tools without asking in the terminal: ${settingsFile(setup)} allows ${allowed}.`,
    "Headless, instead of hooks: claude -p --permission-prompt-tool mcp__parley__permission_prompt",
    ...(gated ? ["Settings are read at start: begin a new session."] : []),
  ],
};
