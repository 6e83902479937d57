// What must hold of all gates whatever has happened, seen from one moment to the next.
import { expect } from "vitest";
import type { Gate } from "../../src/gates/rules.ts";

/** All gates at one moment, their facts, and what had been told by then. */
export interface Seen {
  gates: Map<string, Gate>;
  facts: ReadonlyArray<{ subject: string; action: string }>;
  told: readonly Told[];
  prompts: ReadonlyArray<{ key: string; behavior: unknown }>;
}

/** What an agent was given as a gate's end. */
export type Told = { gate: string; status: string; note?: string; text?: string; choice?: string; digest?: string };

const decided = ["approved", "denied", "answered", "resolved"];

/** @returns the gates as they are now */
export function holds(before: Map<string, Gate>, { gates: now, facts, told, prompts }: Seen): Map<string, Gate> {
  for (const [id, was] of before) {
    const gate = now.get(id);
    if (!gate) throw new Error(`gate ${id} is gone`);
    // What was asked never changes.
    const { title, details, action, matched_by, kind, risk, asked_by, asked_at, expires_at, room, key } = was;
    expect(gate).toMatchObject({ title, details, matched_by, kind, risk, asked_by, asked_at, expires_at, room, key });
    expect(gate.action).toEqual(action);
    // What happened once happened once.
    for (const once of ["delivered_at", "acknowledged_at", "seen_at", "reopened_as"] as const)
      if (was[once] !== null) expect([once, gate[once]]).toEqual([once, was[once]]);
    if (was.status === "pending") continue;
    const { status, decided_by, decided_at, note, choice, text, digest, edited, reason, receipt, by_rule } = was;
    const final = { status, decided_by, decided_at, note, choice, text, digest, edited, reason, receipt, by_rule };
    const recalled = gate.recalled && !was.recalled;
    if (!recalled) expect(gate).toMatchObject(final);
    // The one change that a final state knows, and only before anybody had it.
    else expect([status, was.delivered_at, gate.status, gate.receipt]).toEqual(["approved", null, "denied", null]);
  }
  const lives = new Map<string, string[]>();
  for (const { subject, action } of facts) lives.set(subject, [...(lives.get(subject) ?? []), action.slice(5)]);
  for (const gate of now.values()) {
    const life = lives.get(`gate:${gate.id}`) ?? [];
    const ends = life.filter((one) => [...decided, "expired", "withdrawn"].includes(one));
    // One end for each, and the card says the one that is in the log. Expired it may be before anybody has written so, and
    // so may a client's own card be withdrawn, once nobody waits for it any more.
    const byTime = gate.status === "expired" || (gate.status === "withdrawn" && gate.client_until !== null);
    const late = byTime && ends.length === 0;
    const said = gate.recalled ? ["approved"] : gate.status === "pending" || late ? [] : [gate.status];
    expect([gate.id, ...ends]).toEqual([gate.id, ...said]);
    expect(life.filter((one) => one === "recalled")).toHaveLength(gate.recalled ? 1 : 0);
    const went = (fact: string) => life.filter((one) => one === fact).length;
    expect(went("delivered") - went("not_delivered")).toBe(gate.delivered_at === null ? 0 : 1);
    expect(gate.receipt !== null).toBe(gate.status === "approved" && gate.digest !== null);
    expect(gate.decided_by !== null).toBe(decided.includes(gate.status));
    expect(gate.decided_by).not.toBe(gate.asked_by);
    if (gate.status === "approved" && gate.by_rule === null)
      expect(gate.approvals.length).toBeGreaterThanOrEqual(gate.approvals_needed);
    // A second question with the same key is the same card.
    const twins = [...now.values()].filter((one) => one.key === gate.key && one.asked_by === gate.asked_by);
    if (gate.key !== null) expect(twins).toHaveLength(1);
  }
  for (const { gate: id, ...said } of told) {
    const gate = now.get(id) as Gate;
    const { status, note, text, choice, digest } = gate;
    expect({ id, status, note, text, choice, digest }).toMatchObject({ id, ...said });
  }
  for (const { key, behavior } of prompts) {
    const gate = [...now.values()].find((one) => `${one.asked_by} ${one.key}` === key);
    // Where all was stopped it is told no without a card.
    if (gate) expect([key, gate.status === "approved"]).toEqual([key, behavior === "allow"]);
    else expect([key, behavior]).toEqual([key, "deny"]);
    if (gate) expect(gate.status).not.toBe("pending");
  }
  return now;
}
