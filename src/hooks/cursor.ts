// Cursor: beforeShellExecution and beforeMCPExecution. It takes no edited input, so that is told instead of run.
// Parley's own tools pass: they ask a person themselves.
import type { ToolUse } from "../gates/tool-use.ts";
import { type Adapter, type Event, object, optional, text, Unclear } from "./adapter.ts";
import { toldInstead } from "./told.ts";

export const cursor: Adapter = {
  usual: 60,
  passes: { permission: "allow" },
  wish(event, url) {
    const name = text(event, "hook_event_name");
    // A generation holds many tool uses and none has an id: each is its own question.
    if (name === "beforeShellExecution") return { asks: shell(event), key: null };
    if (name !== "beforeMCPExecution") throw new Unclear(`${name} is no event that asks for permission.`);
    if (optional(event, "url")?.split("?")[0] === `${url}/mcp`) return { passes: true };
    const server = optional(event, "url") ?? optional(event, "command");
    return { asks: { tool: text(event, "tool_name"), input: inputOf(event), cwd: folder(event), server }, key: null };
  },
  says(_event, verdict) {
    const no = verdict.allow ? verdict.edited && toldInstead(verdict) : verdict.why;
    return no ? { permission: "deny", user_message: no, agent_message: no } : { permission: "allow" };
  },
};

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
