// Codex: Claude Code's shapes, narrower. PreToolUse takes "allow" only together with an input; PermissionRequest
// takes no input, so an edited one is told instead. Its matchers cannot leave Parley's own tools out, so they pass here:
// they ask a person themselves. What is typed into a running program (write_stdin) calls no hook at all.
import { type Adapter, asking, text, Unclear } from "./adapter.ts";
import { preToolUse } from "./claude-code.ts";
import { isOwnTool } from "./own-tool.ts";
import { toldInstead, toldOfEdit } from "./told.ts";
import { readsCommands } from "./typing.ts";

export const codex: Adapter = {
  usual: 600,
  passes: {},
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name !== "PreToolUse" && name !== "PermissionRequest")
      throw new Unclear(`${name} is no event that asks for permission.`);
    const wish = asking("codex", event, name === "PreToolUse" ? "own" : "alike");
    if (isOwnTool(wish.asks.tool)) return { passes: true };
    return { ...wish, ...(readsCommands(wish.asks) && { cautions: "Codex can type into this without asking again." }) };
  },
  says(event, verdict) {
    if (event.hook_event_name !== "PermissionRequest") {
      const told = toldOfEdit(event, verdict);
      return preToolUse(verdict.allow ? "allow" : "deny", verdict.why, {
        ...(verdict.allow && { updatedInput: verdict.input }),
        ...(told !== null && { additionalContext: told }),
      });
    }
    const no = verdict.allow ? verdict.edited && toldInstead(verdict) : verdict.why;
    return {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: no ? { behavior: "deny", message: no } : { behavior: "allow" },
      },
    };
  },
};
