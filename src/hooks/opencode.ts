// opencode has no hook that is a command; plugins/opencode/parley.js asks in these words before a tool runs.
import { type Adapter, asking, text, Unclear } from "./adapter.ts";
import { toldOfEdit } from "./told.ts";

export const opencode: Adapter = {
  usual: 600,
  passes: {},
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "tool.execute.before") throw new Unclear(`${name} is no event that asks for permission.`);
    return asking("opencode", event);
  },
  says(event, verdict) {
    if (!verdict.allow) return { permission: "deny", message: verdict.why };
    const told = toldOfEdit(event, verdict);
    return { permission: "allow", args: verdict.input, ...(told !== null && { told }) };
  },
};
