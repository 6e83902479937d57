// What people and agents were told of gates, written down beside the store and held against it at the end.
import { expect } from "vitest";
import type { Place, Ran } from "./parley.ts";
import { becomes, type Gate, type Question, words } from "./questions.ts";

interface Answer {
  by: string;
  status: string;
  said: string;
}

export interface Ledger {
  /** An agent is about to ask. */
  asks(question: Question): void;
  /** A person is about to say this. */
  says(by: string, decision: { gate_id: string; decision: string }, said: string): void;
  /** A person was told with 200 that this decided. */
  acknowledged(by: string, gate: Gate): void;
  /** An agent was given its answer. */
  received(title: string, gate: Gate): void;
  /** `parley gate` for this title has ended: null where it was killed. */
  ended(title: string, ran: Ran | null): void;
  /** How many decisions were acknowledged. */
  readonly size: number;
  readonly asked: number;
  /** From a person's being told to the agent's being told, at the longest, ms. */
  readonly slowest: number;
  /** @param times how often the command of `parley gate` for a title has run */
  agreesWith(place: Place, times: (title: string) => Promise<number>): Promise<void>;
}

export function openLedger(note: string): Ledger {
  const asked = new Map<string, Question>();
  const said = new Map<string, Answer[]>();
  const told = new Map<string, Answer>();
  const received = new Map<string, Gate>();
  const ended = new Map<string, Ran | null>();
  const known = new Map<string, number>();
  const heard = new Map<string, number>();
  /** 69 where no server was found; null where it was killed. */
  const gone = (title: string): 69 | null => (ended.get(title)?.code === 69 ? 69 : null);
  const standing = (gate: Gate): Answer => ({
    by: String(gate.decided_by),
    status: gate.status,
    said: String(words(gate)),
  });

  return {
    get size() {
      return told.size;
    },
    get slowest() {
      return Math.max(0, ...[...heard].map(([id, at]) => at - (known.get(id) ?? at)));
    },
    get asked() {
      return asked.size;
    },
    asks: (question) => void asked.set(question.title, question),
    says(by, { gate_id: id, decision }, words) {
      said.set(id, [...(said.get(id) ?? []), { by, status: becomes[decision] ?? "", said: words }]);
    },
    acknowledged(by, gate) {
      expect(gate.decided_by, note).toBe(by);
      expect(told.get(gate.id), `two were told that they decided ${gate.title}, ${note}`).toBeUndefined();
      told.set(gate.id, standing(gate));
      known.set(gate.id, performance.now());
    },
    received(title, gate) {
      // Nothing is delivered that nobody has said.
      expect(said.get(gate.id), `${title}, ${note}`).toContainEqual(standing(gate));
      expect(received.has(title), note).toBe(false);
      received.set(title, gate);
      heard.set(gate.id, performance.now());
    },
    ended: (title, ran) => void ended.set(title, ran),

    async agreesWith(place, times) {
      const stored = (await place.query("select * from gates")) as unknown as Gate[];
      const byTitle = new Map(stored.map((gate) => [gate.title, gate]));
      // No gate is lost and there is no second card; only who was killed or found no server has not come to ask.
      const unasked = [...asked.keys()].filter((title) => !byTitle.has(title));
      for (const title of unasked) expect([title, ended.get(title)?.code ?? null]).toEqual([title, gone(title)]);
      expect(stored.map(({ title }) => title).sort(), note).toEqual(
        [...asked.keys()].filter((title) => !unasked.includes(title)).sort(),
      );
      // Every answer stands as it was acknowledged, and none that nobody was told of.
      expect(new Map(stored.map((gate) => [gate.id, standing(gate)])), note).toEqual(told);
      // In the log one decision for each, and at most one delivery, after it.
      const log = await place.query(
        `select subject, action from log where room = 'main' and action in
         ('gate.asked', 'gate.approved', 'gate.denied', 'gate.answered', 'gate.resolved', 'gate.delivered') order by seq`,
      );
      const lives = new Map<string, string[]>();
      for (const { subject, action } of log)
        lives.set(String(subject), [...(lives.get(String(subject)) ?? []), String(action)]);
      expect(lives.size, note).toBe(stored.length);
      for (const { id, status } of stored) {
        const life = lives.get(`gate:${id}`);
        expect(life, note).toEqual(["gate.asked", `gate.${status}`, "gate.delivered"].slice(0, life?.length));
        expect(life?.length, note).toBeGreaterThanOrEqual(2);
      }
      for (const [title] of asked) {
        const gate = byTitle.get(title);
        if (ended.has(title)) await ranAsDecided(title, gate);
        // Every agent has the answer that was given.
        else
          expect(received.get(title), note).toMatchObject({
            id: gate?.id,
            status: gate?.status,
            decided_by: gate?.decided_by,
            from_person: true,
          });
      }

      async function ranAsDecided(title: string, gate: Gate | undefined): Promise<void> {
        const ran = ended.get(title);
        const count = await times(title);
        if (gate?.status !== "approved") expect([title, count], note).toEqual([title, 0]);
        // Killed after the approval it may have come to run it or not, but never twice.
        if (ran === null || ran === undefined) return expect(count, note).toBeLessThanOrEqual(1);
        const decided = gate?.status === "approved" ? [0, 1] : [77, 0];
        // Where the server stayed away it did not run.
        expect([title, ran.code, count], `${ran.err} ${note}`).toEqual([title, ...(gone(title) ? [69, 0] : decided)]);
      }
    },
  };
}
