// Gemini CLI: BeforeTool. An edited input is laid over the model's own, so that a field taken out would stay: that is
// told instead of run.
import { type Adapter, keyOf, object, text, toolUse, Unclear } from "./adapter.ts";
import { toldInstead } from "./told.ts";

export const gemini: Adapter = {
  usual: 60,
  passes: { decision: "allow" },
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "BeforeTool") throw new Unclear(`${name} is no event that asks for permission.`);
    return { asks: toolUse(event), key: keyOf("gemini", event) };
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
