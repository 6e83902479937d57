// Cursor: ~/.cursor/mcp.json holds its MCP servers, ~/.cursor/hooks.json its hooks.
import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookEntry, server, stdioCommand } from "./own.ts";
import type { Piece } from "./piece.ts";
import { Unusable } from "./problem.ts";
import { type ClientSettings, hookLimit, hookWait, mcp, type Setup } from "./setup.ts";
import { isObject, mustBeObject } from "./shapes.ts";

// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
const byName = "${env:PARLEY_TOKEN}";

function entry(setup: Setup): object {
  if (setup.transport === "http") return { url: mcp(setup), headers: { Authorization: `Bearer ${byName}` } };
  const { command, args, env } = stdioCommand(setup);
  return { command, args, env: { ...env, PARLEY_TOKEN: byName } };
}

const hooksFile = ({ home }: Setup): string => join(home, ".cursor", "hooks.json");

/**
 * Edits only. Cursor calls preToolUse before every tool, and beforeShellExecution or beforeMCPExecution besides: a
 * command or a tool of a server that stood in both would be asked for twice.
 */
const edits =
  "^(?:Write|Edit|MultiEdit|StrReplace|ApplyPatch|EditNotebook|NotebookEdit|TabWrite|Delete|WebFetch|WebSearch)$";

function gates(setup: Setup): Piece[] {
  const file = hooksFile(setup);
  const command = hookLine("cursor", hookWait, setup.platform === "win32" ? "powershell" : "sh");
  const hook = { command, timeout: hookLimit, failClosed: true };
  return [
    { kind: "value", file, at: ["version"], value: 1, ours: () => false },
    hookEntry("cursor", file, ["hooks", "preToolUse"], { matcher: edits, ...hook }),
    hookEntry("cursor", file, ["hooks", "beforeShellExecution"], hook),
    hookEntry("cursor", file, ["hooks", "beforeMCPExecution"], hook),
  ];
}

export const cursor: ClientSettings = {
  title: "Cursor",
  keepsNoToken: "variable",
  connection: (setup) => [server(join(setup.home, ".cursor", "mcp.json"), ["mcpServers", "parley"], entry(setup))],
  gates,
  shapes: (setup) => [
    {
      file: hooksFile(setup),
      check({ hooks }) {
        mustBeObject(hooks, "hooks");
        for (const [event, list] of Object.entries(hooks ?? {}))
          if (!Array.isArray(list) || !list.every(isObject))
            throw new Unusable(`its "hooks.${event}" is not a list of objects`, "make it one or take it out");
      },
    },
  ],
  notes: (_setup, gated) =>
    gated ? ["Edits are asked for from Cursor 2.4 on; an older Cursor has no hook before an edit."] : [],
};
