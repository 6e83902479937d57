// Claude Code's --permission-prompt-tool: its question as a gate, the person's answer in Claude Code's own words.
// It cannot come back pending, so the gate ends with the hold; no is said only once the row says so.
import { z } from "zod";
import { type AnyAction, action, type Result, type WaitCall } from "../action.ts";
import { line } from "../words.ts";
import { askers, find, type GateSettings, waitFor } from "./ask.ts";
import { actionOf, type ToolUse, titleOf } from "./tool-use.ts";
import { verdictOf } from "./verdict.ts";

/** The longest hold, seconds: what Claude Code bears with signs of life. */
const longest = 600;

const deny = (message: string): Result => ({ behavior: "deny", message });

export const permissionActions = (settings: GateSettings): AnyAction[] => [
  action({
    name: "permission_prompt",
    toolset: "gates",
    about:
      "For Claude Code's --permission-prompt-tool, which calls it by itself: asks a person whether a tool may run. Not for you to call.",
    may: askers,
    quiet: true,
    bare: deny,
    input: {
      tool_name: line(200),
      input: z.record(z.string(), z.unknown()),
      tool_use_id: line(120).optional(),
    },
    output: {},
    wait: async (call, { tool_name: tool, input, tool_use_id: id }) => {
      const hold = Math.floor(call.hold(longest));
      const asked: ToolUse = { tool, input };
      const gate = await call.write((write) =>
        find(
          write,
          "approval",
          {
            title: titleOf(asked),
            action: actionOf(asked),
            key: id === undefined ? undefined : `prompt:${id}`,
            through: "prompt",
            timeout_seconds: Math.max(1, hold),
            wait_seconds: hold,
          },
          settings,
        ),
      );
      // The answer has no room for it: that a person edited the input stands in the inbox of the agent's next result. Of
      // a use without an id it is not told: an answer that is still to be told answers the same request again (G5).
      let tellsLater = false;
      const written = (then: () => Promise<void>) => call.written(async () => (tellsLater ? undefined : then()));
      // The client has the answer, not the agent: when it is written that is the end of it.
      const beside = { through: "hook" } as const;
      const answer = await settled({ ...call, written, beside }, gate.id, hold);
      tellsLater = answer.edited === true && id !== undefined && tool !== "AskUserQuestion";
      return answerOf(answer, asked);
    },
  }),
];

/** The gate once its row is final, which the deadline makes it; pending only when the caller has gone. */
async function settled(call: WaitCall, id: string, hold: number): Promise<Result> {
  // The gate was made a moment after the call came, and its deadline lies as much later.
  const { gate } = await waitFor(call, id, call.age() / 1000 + hold + 1);
  return (gate ?? {}) as Result;
}

function answerOf(gate: Result, asked: ToolUse): Result {
  const verdict = verdictOf(gate, asked);
  return verdict.allow ? { behavior: "allow", updatedInput: verdict.input } : deny(verdict.why);
}
