// Codex: ~/.codex/config.toml holds its MCP servers and hooks. A hook runs only once its person has trusted it, and the
// same file says so.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { sha256 } from "../../ids.ts";
import { hookLine } from "./command.ts";
import { isHookOf, stdioCommand } from "./own.ts";
import type { TablesPiece } from "./piece.ts";
import { inFile } from "./problem.ts";
import { type ClientSettings, hookLimit, hookWait, type Idle, mcp, type Setup } from "./setup.ts";
import { isObject, mustBeHooks } from "./shapes.ts";
import { textOf } from "./target.ts";
import { readTables } from "./toml.ts";

type Tables = Record<string, unknown>;

const configFile = ({ env, home }: Setup): string => join(env.CODEX_HOME || join(home, ".codex"), "config.toml");
const ours = isHookOf("codex");

/** The way to Parley. */
function way(setup: Setup): string {
  if (setup.transport === "http") return `url = ${JSON.stringify(mcp(setup))}\nbearer_token_env_var = "PARLEY_TOKEN"`;
  const { command, args, env } = stdioCommand(setup);
  return `command = ${JSON.stringify(command)}
args = [${args.map((word) => JSON.stringify(word)).join(", ")}]
env = { PARLEY_STORE = ${JSON.stringify(env.PARLEY_STORE)} }
env_vars = ["PARLEY_TOKEN"]`;
}

/** Without `required` the first turn may lack the tools. */
const serverTable = (setup: Setup): string => `[mcp_servers.parley]
${way(setup)}
tool_timeout_sec = 300
required = true
default_tools_approval_mode = "approve"
`;

const hookTables = (): string => `
[[hooks.PreToolUse]]
matcher = "^(Bash|apply_patch|Edit|Write|mcp__.+)$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(hookLine("codex", hookWait))}
timeout = ${hookLimit}
`;

const tables = (setup: Setup, gated: boolean): TablesPiece => ({
  kind: "tables",
  file: configFile(setup),
  text: gated ? serverTable(setup) + hookTables() : serverTable(setup),
  ours,
});

/** Its own settings and the project's can switch hooks off; what has not been trusted is skipped silently. */
function idle(setup: Setup, project: string | null): Idle[] {
  const file = configFile(setup);
  const files = project === null ? [file] : [...new Set([file, join(project, ".codex", "config.toml")])];
  const off = files.flatMap((one): Idle[] => {
    const { features } = tablesOf(one);
    const name = ["hooks", "codex_hooks"].find((feature) => isObject(features) && features[feature] === false);
    return name === undefined
      ? []
      : [{ why: `${one} switches all hooks off`, todo: `nothing is gated; take ${name} = false out of [features]` }];
  });
  const todo = "nothing is gated; start codex, run /hooks and trust Parley's";
  return isTrusted(tablesOf(file), file) ? off : [...off, { why: "its hook is not trusted as it stands now", todo }];
}

function tablesOf(file: string): Tables {
  const text = textOf(file);
  return text === null ? {} : inFile(file, () => readTables(text));
}

/** Codex keeps a digest of each hook that was trusted, under the file and the hook's place in it. */
function isTrusted({ hooks }: Tables, file: string): boolean {
  const { PreToolUse: groups, state } = (isObject(hooks) ? hooks : {}) as { PreToolUse?: unknown; state?: unknown };
  if (!Array.isArray(groups) || !isObject(state)) return false;
  const at = groups.findIndex(ours);
  if (at < 0) return false;
  const { matcher, hooks: own } = groups[at] as { matcher?: string; hooks: Tables[] };
  const [hook] = own;
  const trusted = sha256(
    canonicalize({
      event_name: "pre_tool_use",
      matcher,
      hooks: [{ type: "command", command: hook?.command, timeout: hook?.timeout, async: false }],
    }) ?? "",
  );
  return [file, real(file)].some((path) => {
    const said = state[`${path}:pre_tool_use:${at}:0`];
    return isObject(said) && said.enabled !== false && said.trusted_hash === `sha256:${trusted}`;
  });
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

export const codex: ClientSettings = {
  title: "Codex",
  keepsNoToken: "variable",
  connection: (setup) => [tables(setup, false)],
  gates: (setup) => [tables(setup, true)],
  shapes: (setup) => [
    {
      file: configFile(setup),
      check: ({ hooks }) => mustBeHooks(hooks, ["command", "prompt", "agent", "mcp_tool"], ["state"]),
    },
  ],
  idle,
  notes: (_setup, gated) =>
    gated ? ["What is typed into a program that already runs is not asked for: Codex calls no hook for it."] : [],
};
