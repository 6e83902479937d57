// A store that cannot be used for the moment: locked by another process, out of reach, or full of a reader's leavings.
import { statSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import Database from "better-sqlite3";
import pino from "pino";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { wallClock } from "../../src/clock.ts";
import { refusalOf } from "../../src/edges/answer.ts";
import { readiness } from "../../src/edges/readiness.ts";
import { patiently } from "../../src/store/patience.ts";
import { postgresStore } from "../../src/store/postgres.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { silent } from "../../src/store/warnings.ts";
import { serve } from "../edges/stage.ts";
import { inFile, inPostgres } from "../setup/stores.ts";
import { found, stage } from "../stage.ts";

afterEach(() => vi.restoreAllMocks());
const log = pino({ level: "silent" });

it("A4: a store that stays locked is told with its cause and when to come back, and is not ready", async () => {
  const s = await serve(inFile.make);
  const other = new Database(s.fresh.where);
  other.exec("begin immediate");
  onTestFinished(() => void other.close());
  // Ten times as fast as a wall clock's.
  const clock = { ...wallClock, after: (ms: number, then: () => void) => wallClock.after(ms / 10, then) };
  const seen = await readiness({ store: s.table.store, clock });
  expect(seen).toEqual({ why: "The store has not answered for 3 seconds.", warnings: [] });
  const waits = s.http("/readyz");
  let status: number | undefined;
  void waits.then((answer) => {
    status = answer.status;
  });
  expect(
    await found(async () => {
      await s.clock.tick(3000);
      return status;
    }),
  ).toBe(503);
  other.exec("rollback");
  expect((await s.http("/readyz")).status).toBe(200);
  await s.stop();
});

it("A4: a lock that is not had in 15 s becomes UNAVAILABLE, any other error stays internal", async () => {
  const busy = Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
  let elapsed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (elapsed += 16_000));
  const trouble = await patiently(() => {
    throw busy;
  }).catch((error) => error);
  expect(trouble).toBeInstanceOf(StoreUnavailable);
  const refusal = refusalOf(trouble, log);
  expect(refusal).toMatchObject({ code: "UNAVAILABLE", status: 503, facts: { retry_after: 5 } });
  expect(refusal.message).toMatch(/locked by another process .* Try again in 5 seconds/);
  expect(refusalOf(new Error("a bug"), log).code).toBe("INTERNAL");
});

it("A4: a reader that stays makes the write-ahead log large: it is told, and the space is given back after", async () => {
  const p = await stage(inFile.make);
  const wal = () => statSync(`${p.fresh.where}-wal`).size / 2 ** 20;
  const reader = new Database(p.fresh.where, { readonly: true });
  reader.exec("begin; select count(*) from log");
  const bulk = (mib: number) =>
    p.table.store.write("main", async ({ db }) => {
      for (let n = 0; n < mib; n++)
        await db
          .insertInto("keys")
          .values({
            room: "main",
            member: "x",
            key: `${mib} ${n}`,
            action: "x",
            digest: "x",
            result: JSON.stringify({ text: "x".repeat(2 ** 20) }),
            at: 0,
          } as never)
          .execute();
    });
  await bulk(70);
  expect(wal()).toBeGreaterThan(64);
  expect(await p.table.store.health()).toEqual([expect.stringMatching(/-wal has \d+ MB.*reading transaction open/)]);
  expect((await readiness(p.table)).warnings).toHaveLength(1);
  reader.close();
  expect(await p.table.store.health()).toEqual([]);
  expect(wal()).toBeLessThan(1);
});

describe("PostgreSQL", () => {
  /** Passes bytes on to the test's server until it is told to keep them: the peer is gone, the sockets live. */
  async function relay(url: string) {
    const { hostname, port } = new URL(url);
    const sockets = new Set<Socket>();
    let frozen = false;
    const server = createServer((near) => {
      const far = connect(Number(port), hostname);
      const ends = [
        [near, far],
        [far, near],
      ] as const;
      for (const [from, to] of ends) {
        sockets.add(from);
        from.on("data", (bytes) => void (frozen || to.write(bytes)));
        from.on("error", () => {});
        from.on("close", () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const through = new URL(url);
    through.hostname = "127.0.0.1";
    through.port = String((server.address() as AddressInfo).port);
    return {
      url: through.href,
      freeze(now: boolean) {
        frozen = now;
      },
    };
  }

  it("A4: a connection whose peer is gone ends each call in a stated time, and none is used again", async () => {
    const fresh = await inPostgres.make();
    onTestFinished(fresh.remove);
    const way = await relay(fresh.where);
    const store = postgresStore(way.url, silent, 300);
    onTestFinished(() => store.close());
    const count = () => store.read((db) => db.selectFrom("rooms").select("name").execute());
    const touch = () => store.write("main", ({ db }) => db.updateTable("rooms").set({ tasks: 3 }).execute());
    await touch();
    expect(await count()).toHaveLength(2);
    way.freeze(true);
    const [written] = await Promise.allSettled([touch()]);
    // The connection was ended; one that cannot be made anew is unavailable too.
    const read = await Promise.allSettled([count(), count()]);
    for (const one of [written, ...read])
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    expect(String((written as PromiseRejectedResult).reason)).toMatch(/not answered in time.*may have been done/);
    way.freeze(false);
    expect(await count()).toHaveLength(2);
    await touch();
  });

  it("A4: a database that refuses connections is unavailable, a wrong statement is not", async () => {
    const nowhere = postgresStore("postgres://127.0.0.1:1/parley", silent);
    onTestFinished(() => nowhere.close());
    await expect(nowhere.read((db) => db.selectFrom("rooms").selectAll().execute())).rejects.toThrow(StoreUnavailable);
    const fresh = await inPostgres.make();
    onTestFinished(fresh.remove);
    const wrong = fresh.store.read((db) =>
      db
        .selectFrom("no_such_table" as "rooms")
        .selectAll()
        .execute(),
    );
    await expect(wrong).rejects.toThrow(/no_such_table/);
    await expect(wrong).rejects.not.toThrow(StoreUnavailable);
  });

  it("A4: a database whose clock differs by more than 2 s is told", async () => {
    const fresh = await inPostgres.make();
    onTestFinished(fresh.remove);
    expect(await fresh.store.health()).toEqual([]);
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() - 5000);
    expect(await fresh.store.health()).toEqual([expect.stringMatching(/clock is [45]\.\d s ahead of this machine's/)]);
    vi.restoreAllMocks();
    vi.spyOn(Date, "now").mockImplementation(() => real() + 5000);
    expect(await fresh.store.health()).toEqual([expect.stringMatching(/clock is [45]\.\d s behind this machine's/)]);
  });
});
