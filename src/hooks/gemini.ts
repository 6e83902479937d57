// Gemini CLI: BeforeTool. An edited input is laid over the model's own, so that a field taken out would stay: that is
// told instead of run. Parley's own tools pass: they ask a person themselves.
import { type Adapter, asking, type Event, object, text, Unclear } from "./adapter.ts";
import { isOwnTool } from "./own-tool.ts";
import { toldInstead } from "./told.ts";

export const gemini: Adapter = {
  usual: 60,
  passes: { decision: "allow" },
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "BeforeTool") throw new Unclear(`${name} is no event that asks for permission.`);
    return isOwn(event) ? { passes: true } : asking("gemini", event);
  },
  says(event, verdict) {
    if (!verdict.allow) return { decision: "deny", reason: verdict.why };
    if (!verdict.edited) return { decision: "allow" };
    const kept = Object.keys(object(event, "tool_input")).every((field) => field in verdict.input);
    if (!kept) return { decision: "deny", reason: toldInstead(verdict) };
    return {
      decision: "allow",
      hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: verdict.input },
    };
  },
};

/** Newer versions name the server beside the tool; older ones only `mcp_parley_TOOL` or `mcp__parley__TOOL`. */
function isOwn(event: Event): boolean {
  const tool = text(event, "tool_name");
  const { mcp_context: of } = event;
  const server = typeof of === "object" && of !== null ? (of as Event).server_name : "parley";
  return server === "parley" && ["mcp_parley_", "mcp__parley__"].some((prefix) => isOwnTool(tool, prefix));
}
