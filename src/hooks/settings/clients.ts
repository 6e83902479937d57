// What each client's settings say where Parley is connected (docs/clients.md), and where they stand. Never a project's
// own files: those are shared, and an agent may write them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../package.ts";
import { hookLine, ownCommand } from "./command.ts";
import type { EntryPiece, FilePiece, Piece, TablesPiece, ValuePiece } from "./piece.ts";

export interface Setup {
  /** Parley's, without a slash at the end. */
  url: string;
  token: string;
  /** The user's. */
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export interface ClientSettings {
  title: string;
  /** @param gates with the hooks that make it ask, where it has such a thing */
  pieces(setup: Setup, gates: boolean): Piece[];
  hasGates: boolean;
  /** It reads the token from PARLEY_TOKEN, not from its settings. */
  byEnvironment: boolean;
  /** Where the token stands otherwise. */
  tokenAt?: readonly string[];
  /** What its person has to know or do besides. */
  notes(gates: boolean): string[];
  /** Files whose settings switch all its hooks off, and where. */
  offSwitch?(setup: Setup, project: string): { files: string[]; at: readonly string[] };
  /** One command that connects it. */
  byHand?(setup: Setup): string;
}

/** Seconds that a client gives a hook, and that the hook takes of it: it must be first to end. */
const hookLimit = 600;
const hookWait = 540;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const mcp = (url: string) => `${url}/mcp`;
const value = (file: string, at: string[], is: unknown): ValuePiece => ({ kind: "value", file, at, value: is });

/** Known by its command or address, whichever way Parley is installed; a group only where all of it is Parley's. */
const isOurs = (entry: unknown): boolean => {
  const { hooks } = (entry ?? {}) as { hooks?: unknown };
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every(isOurs);
  return hookOfOurs.test(JSON.stringify(entry) ?? "");
};
export const hookOfOurs = /(?: hook |\/hooks\/)(?:claude-code|codex|gemini|cursor|opencode)\b/;
const entry = (file: string, at: string[], is: unknown): EntryPiece => ({
  kind: "entry",
  file,
  at,
  value: is,
  ours: isOurs,
});

const claude: ClientSettings = {
  title: "Claude Code",
  hasGates: true,
  byEnvironment: false,
  tokenAt: ["mcpServers", "parley", "headers", "Authorization"],
  pieces: (setup, gates) => [
    value(join(setup.env.CLAUDE_CONFIG_DIR || setup.home, ".claude.json"), ["mcpServers", "parley"], {
      type: "http",
      url: mcp(setup.url),
      headers: bearer(setup.token),
      // Longer than the longest answer: permission_prompt holds 600 s.
      timeout: 660_000,
    }),
    ...(gates ? claudeGates(setup) : []),
  ],
  offSwitch: (setup, project) => ({
    files: [claudeFolder(setup), join(project, ".claude")].flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => join(folder, name)),
    ),
    at: ["disableAllHooks"],
  }),
  byHand: ({ url, token }) =>
    `claude mcp add --transport http -s user parley ${mcp(url)} --header "Authorization: Bearer ${token}"`,
  notes: (gates) => [
    "Headless, instead of hooks: claude -p --permission-prompt-tool mcp__parley__permission_prompt",
    ...(gates ? ["Settings are read at start: begin a new session."] : []),
  ],
};

const claudeFolder = ({ env, home }: Setup) => env.CLAUDE_CONFIG_DIR || join(home, ".claude");

function claudeGates(setup: Setup): Piece[] {
  const file = join(claudeFolder(setup), "settings.json");
  return [
    value(file, ["env", "PARLEY_URL"], setup.url),
    value(file, ["env", "PARLEY_TOKEN"], setup.token),
    entry(file, ["hooks", "PreToolUse"], {
      // A regular expression looks anywhere unless it is held at both ends: TodoWrite is none of these.
      matcher: "^(?:Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|mcp__(?!parley__).+)$",
      hooks: [{ type: "command", command: hookLine("claude-code", hookWait), timeout: hookLimit, onFailure: "block" }],
    }),
  ];
}

const codex: ClientSettings = {
  title: "Codex",
  hasGates: true,
  byEnvironment: true,
  pieces: (setup, gates) => [codexTables(setup, gates)],
  notes: (gates) =>
    gates
      ? ["Codex skips a hook silently until you have trusted it: start codex once, run /hooks and trust Parley's."]
      : [],
};

function codexTables({ url, env, home }: Setup, gates: boolean): TablesPiece {
  const text = `[mcp_servers.parley]
url = ${JSON.stringify(mcp(url))}
bearer_token_env_var = "PARLEY_TOKEN"
tool_timeout_sec = 300
required = true
default_tools_approval_mode = "approve"
`;
  const hooks = `
[[hooks.PreToolUse]]
matcher = "^(Bash|apply_patch|Edit|Write|mcp__.+)$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(hookLine("codex", hookWait))}
timeout = ${hookLimit}
`;
  const file = join(env.CODEX_HOME || join(home, ".codex"), "config.toml");
  return { kind: "tables", file, text: gates ? text + hooks : text, ours: isOurs };
}

const geminiFile = ({ home }: Setup) => join(home, ".gemini", "settings.json");

const gemini: ClientSettings = {
  title: "Gemini CLI",
  hasGates: true,
  byEnvironment: false,
  tokenAt: ["mcpServers", "parley", "headers", "Authorization"],
  pieces: (setup, gates) => [
    value(geminiFile(setup), ["mcpServers", "parley"], {
      httpUrl: mcp(setup.url),
      headers: bearer(setup.token),
      timeout: 600_000,
    }),
    ...(gates ? geminiGates(setup) : []),
  ],
  notes: () => [],
};

const geminiGates = (setup: Setup): Piece[] => [
  entry(geminiFile(setup), ["hooks", "BeforeTool"], {
    matcher: "^(run_shell_command|write_file|replace|web_fetch|google_web_search|mcp_(?!_?parley_).+)$",
    hooks: [
      {
        name: "parley",
        type: "command",
        command: hookLine("gemini", hookWait),
        timeout: hookLimit * 1000,
        // Gemini CLI keeps what looks like a secret from its hooks.
        env: { PARLEY_URL: setup.url, PARLEY_TOKEN: setup.token },
      },
    ],
  }),
];

const opencodeFolder = ({ env, home }: Setup) => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");

function opencodeFile(setup: Setup): string {
  const [plain, commented] = ["opencode.json", "opencode.jsonc"].map((name) => join(opencodeFolder(setup), name));
  return commented && existsSync(commented) && !existsSync(plain ?? "") ? commented : (plain ?? "");
}

const opencode: ClientSettings = {
  title: "opencode",
  hasGates: true,
  byEnvironment: false,
  tokenAt: ["mcp", "parley", "headers", "Authorization"],
  pieces: (setup, gates) => [
    value(opencodeFile(setup), ["mcp", "parley"], {
      type: "remote",
      url: mcp(setup.url),
      headers: bearer(setup.token),
      oauth: false,
      enabled: true,
      timeout: 300_000,
    }),
    ...(gates ? [plugin(setup)] : []),
  ],
  notes: () => [],
};

function plugin(setup: Setup): FilePiece {
  const filled = {
    command: [...ownCommand(), "hook", "opencode", "--timeout", String(hookWait)],
    env: { PARLEY_URL: setup.url, PARLEY_TOKEN: setup.token },
  };
  const text = readFileSync(join(root, "plugins", "opencode", "parley.js"), "utf8");
  return {
    kind: "file",
    file: join(opencodeFolder(setup), "plugins", "parley.js"),
    text: text.replace(/^const setup = .*$/m, () => `const setup = ${JSON.stringify(filled)};`),
  };
}

const cursor: ClientSettings = {
  title: "Cursor",
  hasGates: true,
  byEnvironment: true,
  pieces: (setup, gates) => [
    value(join(setup.home, ".cursor", "mcp.json"), ["mcpServers", "parley"], {
      url: mcp(setup.url),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
      headers: { Authorization: "Bearer ${env:PARLEY_TOKEN}" },
    }),
    ...(gates ? cursorGates(setup) : []),
  ],
  notes: (gates) => (gates ? ["Cursor has no hook before an edit: edits of files are not gated."] : []),
};

function cursorGates(setup: Setup): Piece[] {
  const file = join(setup.home, ".cursor", "hooks.json");
  const hook = { command: hookLine("cursor", hookWait), timeout: hookLimit, failClosed: true };
  return [
    value(file, ["version"], 1),
    entry(file, ["hooks", "beforeShellExecution"], hook),
    entry(file, ["hooks", "beforeMCPExecution"], hook),
  ];
}

const vscode: ClientSettings = {
  title: "VS Code",
  hasGates: false,
  byEnvironment: false,
  pieces(setup) {
    const file = join(codeFolder(setup), "mcp.json");
    const input = { id: "parley-token", type: "promptString", description: "Parley token", password: true };
    return [
      {
        kind: "entry",
        file,
        at: ["inputs"],
        value: input,
        ours: (one) => (one as { id?: unknown } | null)?.id === input.id,
      },
      value(file, ["servers", "parley"], {
        type: "http",
        url: mcp(setup.url),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
        headers: { Authorization: "Bearer ${input:parley-token}" },
      }),
    ];
  },
  notes: () => [],
};

function codeFolder({ platform, home, env }: Setup): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "Code", "User");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "Code", "User");
}

export const clientSettings: ReadonlyMap<string, ClientSettings> = new Map([
  ["claude", claude],
  ["codex", codex],
  ["gemini", gemini],
  ["opencode", opencode],
  ["cursor", cursor],
  ["vscode", vscode],
]);
