import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { openTable } from "../../src/table.ts";
import { until } from "../../src/until.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, found, gateOf, listening, type Stage, stage } from "../stage.ts";
import { handClock, report, settings } from "../table.ts";

const never = () => new AbortController().signal;
const tells = (p: Stage, subject: string) =>
  p.table.write(p.operator.caller, "main", async (call) => {
    call.fact({ action: "test.told", subject });
  });
/** The number of facts told so far. */
const told = (p: Stage) =>
  p.table.store.read(
    async (db) => (await db.selectFrom("log").select("seq").where("action", "=", "test.told").execute()).length,
  );

eachStore(({ make, shared }) => {
  it("G1: what is committed between the look and the rest is not slept through", async () => {
    const p = await stage(make);
    let looks = 0;
    const seen = await until(p.table.ring, p.clock, ["main/test:1"], 45, never(), async () => {
      const n = await told(p);
      // Committed after this look has read, before it rests.
      if (++looks === 1) await tells(p, "test:1");
      return n > 0 ? { done: n } : { again: null };
    });
    expect(seen).toBe(1);
    expect(looks).toBe(2);
    expect(p.table.ring.size()).toBe(0);
  });

  it("G1: a hundred waiters and a hundred answers, none lost", async () => {
    const p = await stage(make);
    const ids = Array.from({ length: 100 }, (_, n) => n);
    const has = (n: number) =>
      p.table.store.read(
        async (db) =>
          (await db.selectFrom("log").select("seq").where("subject", "=", `test:${n}`).executeTakeFirst()) !==
          undefined,
      );
    const waits = ids.map((n) =>
      until(p.table.ring, p.clock, [`main/test:${n}`], 45, never(), async () =>
        (await has(n)) ? { done: n } : { again: null },
      ),
    );
    await Promise.all(ids.map((n) => tells(p, `test:${n}`)));
    expect(await Promise.all(waits)).toEqual(ids);
    expect(p.table.ring.size()).toBe(0);
  });

  if (shared)
    it("G16: an answer given through another process ends the wait in this one", async () => {
      const p = await stage(make);
      const ada = await p.guest("ada");
      const zoe = await p.guest("zoe", { role: "approver" });
      const other = openTable(await openStore(p.fresh.where), handClock(), settings, report);
      try {
        for (let n = 0; n < 5; n++) {
          const gate = await ask(ada, "request_approval", { title: `Step ${n}` });
          const waited = ada.does("wait_for_gate", { gate_id: gate.id });
          await listening(p, 2);
          await other.perform(zoe.caller, "decide_gate", { gate_id: gate.id, decision: "approve" });
          expect(gateOf(await waited).status).toBe("approved");
        }
      } finally {
        await other.close();
      }
    });
});

describe("a wait", () => {
  const { make } = inMemory;

  it("G3: looks again at the deadline that it has read", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const asked = ada.does("wait_for_feedback", { question: "Which?", timeout_seconds: 20 });
    await listening(p, 2);
    await p.clock.tick(19_999);
    expect(p.table.ring.size()).toBe(2);
    await p.clock.tick(1);
    expect(gateOf(await asked)).toMatchObject({ status: "expired" });
  });

  it("G5: of no seconds looks once and does not rest", async () => {
    const p = await stage(make);
    let looks = 0;
    const seen = await until(p.table.ring, p.clock, ["main"], 0, never(), async () => {
      looks++;
      return { again: null };
    });
    expect([seen, looks]).toEqual([null, 1]);
  });

  it("G5: ends with its time, having looked once more", async () => {
    const p = await stage(make);
    const looks: number[] = [];
    const start = p.clock.now();
    const waited = until(p.table.ring, p.clock, ["main"], 10, never(), async () => {
      looks.push(p.clock.now() - start);
      return { again: start + 60_000 };
    });
    await listening(p, 1);
    await p.clock.tick(10_000);
    expect(await waited).toBeNull();
    expect(looks).toEqual([0, 10_000]);
  });

  it("G5: looks at every ring and at every deadline, and never spins", async () => {
    const p = await stage(make);
    const looks: number[] = [];
    const start = p.clock.now();
    const waited = until(p.table.ring, p.clock, ["main/test"], 30, never(), async () => {
      const at = p.clock.now() - start;
      looks.push(at);
      return at >= 25_000 ? { done: at } : { again: start + (at < 5000 ? 5000 : 25_000) };
    });
    await listening(p, 1);
    await p.clock.tick(2000);
    await tells(p, "test:1");
    await found(() => (looks.length === 2 ? true : undefined));
    await p.clock.tick(1000);
    await tells(p, "other:1");
    await p.clock.tick(22_000);
    expect(await waited).toBe(25_000);
    expect(looks).toEqual([0, 2000, 5000, 25_000]);
  });

  it("G6: ends when its caller goes, also when it had gone before", async () => {
    const p = await stage(make);
    const gone = new AbortController();
    let looks = 0;
    const look = async () => {
      looks++;
      return { again: null };
    };
    const waited = until(p.table.ring, p.clock, ["main"], 45, gone.signal, look);
    await listening(p, 1);
    gone.abort();
    expect(await waited).toBeNull();
    looks = 0;
    expect(await until(p.table.ring, p.clock, ["main"], 45, gone.signal, look)).toBeNull();
    expect(looks).toBe(1);
  });

  it("G1: leaves nothing behind when a look fails", async () => {
    const p = await stage(make);
    await expect(
      until(p.table.ring, p.clock, ["main"], 45, never(), async () => {
        throw new Error("broken");
      }),
    ).rejects.toThrow("broken");
    expect(p.table.ring.size()).toBe(0);
  });
});
