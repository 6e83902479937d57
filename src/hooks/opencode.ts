// opencode has no hook that is a command; plugins/opencode/parley.js asks in these words before a tool runs.
import { type Adapter, keyOf, text, toolUse, Unclear } from "./adapter.ts";

export const opencode: Adapter = {
  usual: 600,
  passes: {},
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "tool.execute.before") throw new Unclear(`${name} is no event that asks for permission.`);
    return { asks: toolUse(event), key: keyOf("opencode", event) };
  },
  says: (_event, verdict) =>
    verdict.allow ? { permission: "allow", args: verdict.input } : { permission: "deny", message: verdict.why },
};
