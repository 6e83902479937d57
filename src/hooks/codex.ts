// Codex: Claude Code's shapes, narrower. PreToolUse takes "allow" only together with an input; PermissionRequest
// takes no input, so an edited one is told instead. Its matchers cannot leave Parley's own tools out, so they pass here:
// they ask a person themselves.
import { type Adapter, keyOf, text, toolUse, Unclear } from "./adapter.ts";
import { preToolUse } from "./claude-code.ts";
import { isOwnTool } from "./own-tool.ts";
import { toldInstead } from "./told.ts";

export const codex: Adapter = {
  usual: 600,
  passes: {},
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "PreToolUse" && name !== "PermissionRequest")
      throw new Unclear(`${name} is no event that asks for permission.`);
    const asks = toolUse(event);
    return isOwnTool(asks.tool) ? { passes: true } : { asks, key: keyOf("codex", event) };
  },
  says(event, verdict) {
    if (event.hook_event_name !== "PermissionRequest")
      return preToolUse(verdict.allow ? "allow" : "deny", verdict.why, verdict.allow && verdict.input);
    const no = verdict.allow ? verdict.edited && toldInstead(verdict) : verdict.why;
    return {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: no ? { behavior: "deny", message: no } : { behavior: "allow" },
      },
    };
  },
};
