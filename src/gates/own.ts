// What Parley itself asks the people: one question a key, open until somebody answers or it no longer matters.
import type { NewFact, WriteCall } from "../action.ts";
import * as deliveries from "./delivery-rows.ts";
import { digestOf } from "./digest.ts";
import { withdrawAll } from "./endings.ts";
import * as rows from "./rows.ts";
import { type Gate, unanswered } from "./rules.ts";

/** A name that no member can have. */
const self = "parley";

interface OwnQuestion {
  key: string;
  title: string;
  details: string;
  options: string[];
}

interface OwnAnswer {
  key: string;
  choice: string | null;
  text: string | null;
}

export interface Own {
  ask(call: WriteCall, question: OwnQuestion): Promise<void>;
  /** Takes back what is still open of those that have such a key. */
  withdraw(call: WriteCall, whose: (key: string) => boolean, reason: string): Promise<void>;
  /** Those of Parley's questions that these facts answer; they count as delivered. */
  answers(call: WriteCall, facts: readonly NewFact[]): Promise<OwnAnswer[]>;
}

export const own: Own = {
  async ask(call, { key, title, details, options }) {
    const gate: Gate = {
      ...unanswered,
      id: call.id(),
      room: call.room,
      kind: "feedback",
      status: "pending",
      title,
      details,
      action: {},
      digest: null,
      matched_by: digestOf({ title, details, options }),
      risk: "medium",
      raised_by: null,
      claimed_risk: null,
      options,
      single_use: false,
      task_id: null,
      key,
      asked_by: self,
      asked_at: call.now,
      // Silence is no answer: it stays until somebody says how to go on.
      expires_at: null,
      approvals_needed: 1,
      alone: false,
      asked_through: null,
      client_session: null,
    };
    await rows.insert(call.db, gate);
    call.fact({ action: "gate.asked", subject: `gate:${gate.id}`, member: null, data: { kind: gate.kind } });
  },

  async withdraw(call, whose, reason) {
    const open = await rows.pendingOf(call.db, self, call.room);
    await withdrawAll(
      call,
      open.filter((gate) => gate.key !== null && whose(gate.key)),
      reason,
    );
  },

  async answers(call, facts) {
    const ids = facts.flatMap(({ action, subject }) => (action === "gate.answered" ? [subject.slice(5)] : []));
    if (ids.length === 0) return [];
    const mine = (await rows.byIds(call.db, call.room, ids)).filter(({ asked_by }) => asked_by === self);
    for (const { id } of mine) {
      await deliveries.deliver(call.db, [id], call.now);
      await deliveries.acknowledge(call.db, [id], call.now);
      call.fact({ action: "gate.delivered", subject: `gate:${id}`, member: null });
    }
    return mine.map(({ key, choice, text }) => ({ key: key ?? "", choice, text }));
  },
};
