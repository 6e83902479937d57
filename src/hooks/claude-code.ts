// Claude Code: PreToolUse and PermissionRequest are answered; what tells that a question is over withdraws its card.
import { type Adapter, type Event, keyOf, optional, text, toolUse, Unclear } from "./adapter.ts";

const client = "claude-code";

/** Where the person has answered in the terminal, the hook's card is of no use any more. */
const afterUse = ["PostToolUse", "PostToolUseFailure"];
const afterTurn = ["Stop", "StopFailure", "SessionEnd"];

export const claudeCode: Adapter = {
  usual: 600,
  passes: { continue: true },
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name === "PreToolUse" || name === "PermissionRequest")
      return { asks: toolUse(event), key: keyOf(client, event) };
    if (afterUse.includes(name)) return over(keyOf(client, event));
    if (afterTurn.includes(name)) {
      const session = optional(event, "session_id");
      return over(session === undefined ? null : `${client}:${session}:*`);
    }
    throw new Unclear(`${name} is no event that asks for permission.`);
  },
  says(event, verdict) {
    if (event.hook_event_name === "PermissionRequest")
      return {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: verdict.allow
            ? { behavior: "allow", ...(verdict.edited && { updatedInput: verdict.input }) }
            : { behavior: "deny", message: verdict.why },
        },
      };
    return preToolUse(verdict.allow ? "allow" : "deny", verdict.why, verdict.allow && verdict.edited && verdict.input);
  },
};

const over = (key: string | null) => (key === null ? ({ passes: true } as const) : { over: key });

export const preToolUse = (
  permissionDecision: "allow" | "deny",
  permissionDecisionReason: string,
  updatedInput: Event | false,
): object => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    permissionDecisionReason,
    ...(updatedInput && { updatedInput }),
  },
});
