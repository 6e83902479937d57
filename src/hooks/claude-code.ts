// Claude Code: PreToolUse and PermissionRequest are answered; what tells that a question is over withdraws its card.
import { type Adapter, asking, type Event, sessionOf, text, toolUse, Unclear, useOf } from "./adapter.ts";
import { toldOfEdit } from "./told.ts";

const client = "claude-code";

/** Where the person has answered in the terminal, the hook's card is of no use any more. */
const afterUse = ["PostToolUse", "PostToolUseFailure"];
const afterTurn = ["Stop", "StopFailure", "SessionEnd"];

export const claudeCode: Adapter = {
  usual: 600,
  passes: { continue: true },
  wish(event) {
    const name = text(event, "hook_event_name");
    if (name === "PreToolUse") return asking(client, event);
    // It names no tool use: the same request again is found by what it asks.
    if (name === "PermissionRequest") return asking(client, event, "alike");
    const ends = afterTurn.includes(name);
    if (!ends && !afterUse.includes(name)) throw new Unclear(`${name} is no event that asks for permission.`);
    const session = sessionOf(client, event);
    if (session === undefined) return { passes: true };
    return { over: { session, use: ends ? null : { key: useOf(client, event), asks: toolUse(event) } } };
  },
  says(event, verdict) {
    if (event.hook_event_name === "PermissionRequest")
      return {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          // Without its input an approval of a plan or of an answer is thrown away.
          decision: verdict.allow
            ? { behavior: "allow", updatedInput: verdict.input }
            : { behavior: "deny", message: verdict.why },
        },
      };
    const told = toldOfEdit(event, verdict);
    return preToolUse(verdict.allow ? "allow" : "deny", verdict.why, {
      ...(verdict.allow && verdict.edited && { updatedInput: verdict.input }),
      ...(told !== null && { additionalContext: told }),
    });
  },
};

/** @param more the input that runs, and what the agent is to know of it */
export const preToolUse = (
  permissionDecision: "allow" | "deny",
  permissionDecisionReason: string,
  more: { updatedInput?: Event; additionalContext?: string },
): object => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason, ...more },
});
