// What people's rules do to a gate in the moment it is asked (G9, G10), in the same transaction.
import type { NewFact, WriteCall } from "../action.ts";
import type { Gate } from "../gates/rules.ts";
import * as rows from "./rows.ts";
import { type Asked, weigh } from "./rules.ts";

export interface Applied {
  risk: Gate["risk"];
  /** What the gate keeps of it: who answered, by which rule, and what the asker had claimed. */
  marks: Partial<Gate> & Pick<Gate, "by_rule" | "raised_by" | "claimed_risk">;
  /** The fact of the answer, where a rule gave one. */
  fact(id: string): NewFact | null;
}

export async function applyRules(call: WriteCall, asked: Asked & { digest: string | null }): Promise<Applied> {
  const rules = asked.kind === "approval" ? await rows.inForce(call.db, call.room, call.now) : [];
  const { risk, raised, answer, used } = weigh(rules, asked, call.now);
  const ids = used.map((rule) => rule.id);
  if (ids.length > 0) await rows.used(call.db, ids, call.now);
  const status = answer?.effect === "allow" ? "approved" : "denied";
  return {
    risk,
    marks: {
      raised_by: raised?.id ?? null,
      claimed_risk: raised ? asked.risk : null,
      by_rule: answer?.id ?? null,
      ...(answer && { status, decided_by: answer.made_by, decided_at: call.now, note: answer.note }),
    },
    // Nobody did this just now: whose rule it was stands in the data.
    fact: (id) =>
      answer && {
        action: `gate.${status}`,
        subject: `gate:${id}`,
        to: asked.asked_by,
        member: null,
        data: { kind: asked.kind, digest: asked.digest, by_rule: answer.id, by: answer.made_by },
      },
  };
}
