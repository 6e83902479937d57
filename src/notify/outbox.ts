// What is to be told of gates, written with their facts in one transaction; the sender takes it from there (D8).
import type { NewFact, WriteCall } from "../action.ts";
import * as gates from "../gates/rows.ts";
import { isFinal, settle } from "../gates/rules.ts";
import * as rows from "./rows.ts";

const idOf = (fact: NewFact): string => fact.subject.slice("gate:".length);
const ends = new Set(["approved", "denied", "answered", "resolved", "expired", "withdrawn"].map((s) => `gate.${s}`));

/** Follows gates: asked, put aside, over. */
export async function tellOfGates(call: WriteCall, facts: readonly NewFact[]): Promise<void> {
  const asked = facts.filter(({ action }) => action === "gate.asked").map(idOf);
  if (asked.length > 0)
    for (const row of await gates.byIds(call.db, call.room, asked)) {
      const gate = settle(row, call.now);
      // A rule may have answered it in the same breath.
      if (isFinal(gate)) continue;
      const channels = await rows.channelsFor(call.db, gate);
      await rows.insert(
        call.db,
        channels.map(({ id: channel_id, member }) => ({
          id: call.id(),
          room: gate.room,
          gate_id: gate.id,
          channel_id,
          member,
          told_at: null,
          maybe: false,
          remind_at: null,
          due: call.now,
          attempts: 0,
          trying_since: null,
          lease: null,
          leased_until: null,
        })),
      );
    }
  const over = facts.filter(({ action }) => ends.has(action)).map(idOf);
  if (over.length > 0) await rows.stir(call.db, over, call.now);
  for (const fact of facts.filter(({ action }) => action === "gate.snoozed")) {
    const until = Date.parse(String(fact.data?.until));
    if (until > call.now) await rows.remindAt(call.db, idOf(fact), call.actor.member, until, call.now);
    // Shown again by hand: who did that knows of it, and what was held back is looked at anew.
    else await rows.stir(call.db, [idOf(fact)], call.now);
  }
}
