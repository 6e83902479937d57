// What a gate's end means for the tool use that it was asked for: it may run with this input, or not, and why.
// Only an approval of this very tool use is a yes.
import { inputOf, type ToolUse } from "./tool-use.ts";

type Json = Record<string, unknown>;

export type Verdict =
  | {
      allow: true;
      /** As approved. */
      input: Json;
      edited: boolean;
      /** Who approved, in words. */
      by: string;
      why: string;
    }
  | { allow: false; why: string };

/** @param gate as the public contract shows it */
export function verdictOf(gate: Json, asked: ToolUse): Verdict {
  const by = deciderOf(gate);
  const note = typeof gate.note === "string" && gate.note ? `: ${gate.note}` : ".";
  switch (gate.status) {
    case "approved": {
      const input = inputOf(asked, gate);
      if (!input) return no(`${by} approved something other than this tool use, which cannot be handed on. Ask again.`);
      return { allow: true, input, edited: gate.edited === true, by, why: `${by} approved this${note}` };
    }
    case "denied":
      return no(`${by} denied this${note}`);
    case "expired":
      return no("Nobody answered in time: not approved. Do not do it; do other work, or ask again later.");
    case "withdrawn":
      return no(`This request was withdrawn${gate.reason ? ` (${gate.reason})` : ""}: not approved.`);
    default:
      return no("Nobody has answered: not approved.");
  }
}

/** Who decided, in words: a person, or a rule of one. */
export function deciderOf({ decided_by, by_rule }: Json): string {
  const person = typeof decided_by === "string" ? decided_by : "A person";
  return by_rule ? `A rule of ${person}` : person;
}

const no = (why: string): Verdict => ({ allow: false, why });
