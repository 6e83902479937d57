import { describe, expect, it } from "vitest";
import { openRing, type Ring } from "../../src/ring.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/port.ts";
import { openTable } from "../../src/table.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { found, type Stage, stage } from "../stage.ts";
import { handClock, report, settings, settled } from "../table.ts";

const never = () => new AbortController().signal;
const tells = (p: Pick<Stage, "table" | "operator">, subject: string, more: { room?: string; to?: string } = {}) =>
  p.table.write(p.operator.caller, more.room ?? "main", async (call) => {
    call.fact({ action: "test.told", subject, to: more.to ?? null });
  });

/** Listens on one key and counts how often it was rung. */
function counts(ring: Ring, key: string) {
  const over = new AbortController();
  const listener = ring.listen([key], handClock().after);
  const seen = { rung: 0 };
  const listens = (async () => {
    for (;;) {
      await listener.rest(null, over.signal);
      if (over.signal.aborted) return;
      seen.rung++;
    }
  })();
  return {
    seen,
    async end() {
      over.abort();
      await listens;
      listener.close();
    },
  };
}

eachStore(({ make, shared }) => {
  it("a fact rings its subject, its kind, its action, its room and whom it is addressed to, and nobody else", async () => {
    const p = await stage(make);
    const { ring } = p.table;
    const rung = ["main", "main/test:1", "main/test", "main/test.told", "@ada"];
    const silent = ["main/test:2", "main/tes", "lab", "lab/test:1", "_server", "@bob", "@", "main/gate"];
    const heard = async () => {
      const listeners = [...rung, ...silent].map((key) => ({ key, ...counts(ring, key) }));
      await tells(p, "test:1", { to: "ada" });
      await found(() => (listeners.slice(0, rung.length).every(({ seen }) => seen.rung > 0) ? true : undefined));
      await settled();
      const keys = listeners.filter(({ seen }) => seen.rung > 0).map(({ key }) => key);
      for (const one of listeners) await one.end();
      return keys;
    };
    // The first hint of a store finds rooms that were not known yet, and rings everybody, once.
    const [first, second] = [await heard(), await heard()];
    expect([first, second]).toContainEqual(rung);
    expect(ring.size()).toBe(0);
  });

  if (shared)
    it("a fact of another process rings here, each room's", async () => {
      const p = await stage(make);
      const { ring } = p.table;
      await p.operator.does("create_room", { room: "lab" });
      const main = counts(ring, "main/test:1");
      const lab = counts(ring, "lab/test");
      const other = {
        table: openTable(await openStore(p.fresh.where), handClock(), settings, report),
        operator: p.operator,
      };
      try {
        await tells(other, "test:1");
        await found(() => (main.seen.rung > 0 ? true : undefined));
        await tells(other, "test:9", { room: "lab" });
        await found(() => (lab.seen.rung > 0 ? true : undefined));
        // And back, between own commits.
        await tells(p, "test:2");
        await tells(other, "test:1");
        await found(() => (main.seen.rung > 1 ? true : undefined));
        // A room that the other has just made.
        const ops = counts(ring, "ops/test:1");
        await other.table.perform(p.operator.caller, "create_room", { room: "ops" });
        await tells(other, "test:1", { room: "ops" });
        await found(() => (ops.seen.rung > 0 ? true : undefined));
        await ops.end();
      } finally {
        await other.table.close();
        await main.end();
        await lab.end();
      }
    });
});

describe("a ring", () => {
  const { make } = inMemory;

  it("before the rest is not lost, and counts once", async () => {
    const p = await stage(make);
    const listener = p.table.ring.listen(["main"], p.clock.after);
    await tells(p, "test:1");
    await tells(p, "test:2");
    await listener.rest(null, never());
    let rung = false;
    const over = new AbortController();
    const rests = listener.rest(null, over.signal).then(() => {
      rung = true;
    });
    await settled();
    expect(rung).toBe(false);
    over.abort();
    await rests;
    listener.close();
  });

  it("is not waited for when the time is over or the caller has gone", async () => {
    const p = await stage(make);
    const listener = p.table.ring.listen(["main"], p.clock.after);
    const rests = listener.rest(5000, never());
    await p.clock.tick(5000);
    await rests;
    const over = new AbortController();
    const cancelled = listener.rest(null, over.signal);
    over.abort();
    await cancelled;
    await listener.rest(null, over.signal);
    listener.close();
    listener.close();
    expect(p.table.ring.size()).toBe(0);
  });

  it("wakes thousands in slices, all of them", async () => {
    const p = await stage(make);
    const listeners = Array.from({ length: 2000 }, () => p.table.ring.listen(["main"], p.clock.after));
    expect(p.table.ring.size()).toBe(2000);
    let woken = 0;
    const rests = listeners.map((one) => one.rest(null, never()).then(() => ++woken));
    await tells(p, "test:1");
    await Promise.all(rests);
    expect(woken).toBe(2000);
    for (const one of listeners) one.close();
  });

  it("can be given to one key, or to everybody", async () => {
    const p = await stage(make);
    const a = counts(p.table.ring, "a");
    const b = counts(p.table.ring, "b");
    p.table.ring.wake("a");
    await settled();
    expect([a.seen.rung, b.seen.rung]).toEqual([1, 0]);
    p.table.ring.wake("nobody");
    p.table.ring.everyone();
    await settled();
    expect([a.seen.rung, b.seen.rung]).toEqual([2, 1]);
    await a.end();
    await b.end();
  });

  it("comes from another process though the look at its facts fails at first", async () => {
    const p = await stage(make);
    let hint = () => {};
    let fails = 2;
    const store: Store = {
      ...p.table.store,
      onHint(listener) {
        hint = listener;
        return () => {};
      },
      read: (work) => (fails-- > 0 ? Promise.reject(new Error("busy")) : p.table.store.read(work)),
    };
    const ring = openRing(store, report);
    const main = counts(ring, "main/test:1");
    await tells(p, "test:1");
    hint();
    await found(() => (main.seen.rung > 0 ? true : undefined));
    await main.end();
    await ring.close();
  });

  it("does not read a long log again when the first fact of another process comes", async () => {
    const p = await stage(make);
    await p.table.write(p.operator.caller, "main", async (call) => {
      for (let n = 0; n < 3000; n++) call.fact({ action: "test.told", subject: `test:${n}` });
    });
    let hint = () => {};
    let reads = 0;
    const ring = openRing(
      {
        ...p.table.store,
        onHint(listener) {
          hint = listener;
          return () => {};
        },
        read: (work) => {
          reads++;
          return p.table.store.read(work);
        },
      },
      report,
    );
    const main = counts(ring, "main/test:new");
    await tells(p, "test:new");
    hint();
    await found(() => (main.seen.rung > 0 ? true : undefined));
    await tells(p, "test:new");
    hint();
    await found(() => (main.seen.rung > 1 ? true : undefined));
    expect(reads).toBeLessThan(6);
    await main.end();
    await ring.close();
  });
});
