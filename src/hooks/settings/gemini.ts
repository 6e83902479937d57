// Gemini CLI: ~/.gemini/settings.json holds its MCP servers and hooks. In a folder that it does not trust it runs none.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { hookLine } from "./command.ts";
import { readJson, valueAt } from "./json.ts";
import { hookEntry, server, stdioCommand } from "./own.ts";
import type { Piece } from "./piece.ts";
import { inFile } from "./problem.ts";
import { bearer, type ClientSettings, hookLimit, hookWait, type Idle, mcp, type Setup } from "./setup.ts";
import { textOf } from "./target.ts";

const settingsFile = ({ home }: Setup): string => join(home, ".gemini", "settings.json");
const byName = "$PARLEY_TOKEN";
const hookName = "parley";

function entry(setup: Setup): object {
  // Without trust its headless mode offers none of the tools, and on screen each call waits in the terminal.
  const rest = { timeout: 600_000, trust: true };
  if (setup.transport === "http") return { httpUrl: mcp(setup), headers: bearer(setup, byName), ...rest };
  const { command, args, env } = stdioCommand(setup);
  return { command, args, env: { ...env, PARLEY_TOKEN: setup.tokenBy === "file" ? setup.token : byName }, ...rest };
}

const gates = (setup: Setup): Piece[] => [
  hookEntry("gemini", settingsFile(setup), ["hooks", "BeforeTool"], {
    // Parley's own tools too: by the name alone mcp_parley_x cannot be told from those of a server called parley_x.
    // The hook is told the server, and lets Parley's pass.
    matcher: "^(run_shell_command|write_file|replace|web_fetch|google_web_search|mcp_.+)$",
    hooks: [
      {
        name: hookName,
        type: "command",
        command: hookLine("gemini", hookWait, setup.platform === "win32" ? "powershell" : "sh"),
        timeout: hookLimit * 1000,
        // Gemini CLI keeps what looks like a secret from its hooks.
        env: { PARLEY_URL: setup.url, PARLEY_TOKEN: setup.tokenBy === "file" ? setup.token : byName },
      },
    ],
  }),
];

const at = (file: string, ...path: string[]): unknown => {
  const text = textOf(file);
  return text === null ? undefined : inFile(file, () => valueAt(readJson(text), path));
};

function idle(setup: Setup, project: string | null): Idle[] {
  const own = project === null ? [] : [join(project, ".gemini", "settings.json")];
  const files = [...new Set([settingsFile(setup), ...own])];
  const off = files.flatMap((file): Idle[] => {
    const disabled = at(file, "hooksConfig", "disabled");
    if (at(file, "hooksConfig", "enabled") === false)
      return [{ why: `${file} switches all hooks off`, todo: "nothing is gated; take hooksConfig.enabled out" }];
    if (Array.isArray(disabled) && disabled.includes(hookName))
      return [{ why: `${file} switches Parley's hook off`, todo: `take "${hookName}" out of hooksConfig.disabled` }];
    return [];
  });
  if (project === null || isTrusted(setup, project)) return off;
  return [
    ...off,
    {
      why: `it does not trust the folder ${project}, and runs no hooks there`,
      todo: "nothing is gated there; start gemini in it and trust it",
    },
  ];
}

/** As Gemini CLI decides it: a variable, a setting of the user's, or the nearest folder that its person answered for. */
function isTrusted(setup: Setup, project: string): boolean {
  const { GEMINI_CLI_TRUST_WORKSPACE: said, GEMINI_RESTRICTED_MODE: restricted } = setup.env;
  if (restricted === "true" || said === "false") return false;
  if (said === "true" || at(settingsFile(setup), "security", "folderTrust", "enabled") === false) return true;
  const file = setup.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(setup.home, ".gemini", "trustedFolders.json");
  const text = textOf(file);
  const rules = Object.entries(text === null ? {} : inFile(file, () => readJson(text)));
  const [nearest] = rules
    .filter(([folder, level]) => isInside(level === "TRUST_PARENT" ? dirname(folder) : folder, project))
    .sort(([a], [b]) => b.length - a.length);
  return nearest?.[1] === "TRUST_FOLDER" || nearest?.[1] === "TRUST_PARENT";
}

function isInside(folder: string, place: string): boolean {
  const way = relative(real(folder), real(place));
  return way === "" || (way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export const gemini: ClientSettings = {
  title: "Gemini CLI",
  connection: (setup) => [server(settingsFile(setup), ["mcpServers", "parley"], entry(setup))],
  gates,
  shapes: (setup) => [{ file: settingsFile(setup), plain: { comments: true } }],
  idle,
  notes: (setup, gated) => [
    `Gemini CLI uses Parley's tools without asking in the terminal: ${settingsFile(setup)} trusts the server.`,
    ...(gated ? ["Gemini CLI runs hooks only in folders that it trusts: parley doctor, run there, says whether."] : []),
  ],
};
