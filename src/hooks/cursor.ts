// Cursor: beforeShellExecution, beforeMCPExecution, and preToolUse for what those two do not ask for, as edits of files.
// Whether it runs an edited input depends on tool and version, so an edit is told instead of run.
// Parley's own tools pass: they ask a person themselves.
import type { ToolUse } from "../gates/tool-use.ts";
import { type Adapter, type Event, object, optional, sessionOf, text, Unclear, useOf } from "./adapter.ts";
import { ownCommand } from "./settings/command.ts";
import { toldInstead } from "./told.ts";

export const cursor: Adapter = {
  usual: 60,
  passes: { permission: "allow" },
  wish(event, url) {
    const name = text(event, "hook_event_name");
    // A generation holds many tool uses and none has an id: each is its own question.
    const own = { key: "own", session: sessionIn(event) } as const;
    if (name === "beforeShellExecution") return { asks: shell(event), ...own };
    if (name === "preToolUse") {
      const use = useOf("cursor", { ...event, session_id: event.conversation_id });
      const asks = { tool: text(event, "tool_name"), input: inputOf(event), cwd: folder(event) };
      return { asks, ...own, ...(use !== null && { key: { is: use } }) };
    }
    if (name !== "beforeMCPExecution") throw new Unclear(`${name} is no event that asks for permission.`);
    if (optional(event, "url")?.split("?")[0] === `${url}/mcp` || event.command === ownStdio()) return { passes: true };
    const server = optional(event, "url") ?? optional(event, "command");
    return { asks: { tool: text(event, "tool_name"), input: inputOf(event), cwd: folder(event), server }, ...own };
  },
  says(_event, verdict) {
    const no = verdict.allow ? verdict.edited && toldInstead(verdict) : verdict.why;
    return no ? { permission: "deny", user_message: no, agent_message: no } : { permission: "allow" };
  },
};

/** As Cursor names a server that it starts: the command and its arguments, parted by blanks. */
const ownStdio = (): string => [...ownCommand(), "stdio"].join(" ");

const sessionIn = (event: Event): string | undefined => sessionOf("cursor", { session_id: event.conversation_id });

const shell = (event: Event): ToolUse => ({
  tool: "Shell",
  input: { command: text(event, "command") },
  cwd: folder(event),
});

const folder = (event: Event): string | undefined => {
  const [root] = Array.isArray(event.workspace_roots) ? event.workspace_roots : [];
  return optional(event, "cwd") ?? (typeof root === "string" && root !== "" ? root : undefined);
};

/** The parameters come as JSON text. */
function inputOf(event: Event): Record<string, unknown> {
  if (typeof event.tool_input !== "string") return object(event, "tool_input");
  try {
    return object({ tool_input: JSON.parse(event.tool_input) }, "tool_input");
  } catch {
    throw new Unclear("tool_input is not JSON.");
  }
}
