// The store in PostgreSQL: a writer holds its room's advisory lock, a reader one snapshot.
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, Kysely, PostgresAdapter, PostgresDriver, PostgresIntrospector, type Transaction } from "kysely";
import pg from "pg";
import { Refusal } from "../refusal.ts";
import { PostgresCompiler } from "./compilers.ts";
import { doorway } from "./doorway.ts";
import type { Store } from "./port.ts";
import { postgresHints } from "./postgres-hints.ts";
import { endUnanswered, statementLimit, troubleIn } from "./postgres-trouble.ts";
import type { Tables } from "./tables.ts";
import { takeTurnsBy } from "./turns.ts";
import { StoreUnavailable } from "./unavailable.ts";
import type { Warnings } from "./warnings.ts";
import { watched } from "./wrote.ts";

/** int8 and numeric (sums of int8) are numbers here, as in SQLite; on this store's connections only. */
const numbers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (numbers.includes(oid) ? Number : pg.types.getTypeParser(oid, format)),
};

/** A process that stands still in a transaction loses it, so that it cannot keep a room. */
const limits =
  "set_config('lock_timeout', '20s', true), set_config('idle_in_transaction_session_timeout', '60s', true)";
const roomLock = "pg_advisory_xact_lock(hashtextextended('parley:' || $1, 0))";

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

async function lock(trx: Transaction<Tables>, room: string, first: boolean): Promise<void> {
  try {
    await trx.executeQuery(CompiledQuery.raw(`select ${first ? `${limits}, ` : ""}${roomLock}`, [room]));
  } catch (error) {
    if (codeOf(error) !== "55P03") throw error;
    throw new StoreUnavailable(
      `Another process has kept the room ${room} locked for 20 seconds. Find out which one stands still.`,
      error,
    );
  }
}

/** How far the database's clock may be from this machine's (ms). */
const clocksApart = 2000;

/** Serialization failure and deadlock: nothing was done, and all of it can be done again. */
const transient = (error: unknown): boolean => codeOf(error) === "40001" || codeOf(error) === "40P01";

async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !transient(error)) throw error;
    }
    await sleep(2 + Math.random() * 20);
  }
}

/** @param limit how long a statement may go unanswered (ms); 0: without limit, as changing the shape of a big store needs */
export function postgresStore(url: string, log: Warnings, limit = statementLimit): Store {
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: "parley",
    connectionTimeoutMillis: limit || statementLimit,
    query_timeout: limit,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types,
  };
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 60_000 });
  // A connection that dies at rest or in use must not take the process with it: its queries fail anyway.
  const died = (error: Error) => log.warn({ err: error }, "a connection to PostgreSQL was lost");
  pool.on("error", died);
  pool.on("connect", (client) => {
    client.on("error", died);
    endUnanswered(client);
  });
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new PostgresDriver({ pool }),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresCompiler(),
    },
  });
  const hints = postgresHints(pool, config, log);
  const inRoom = takeTurnsBy();
  const door = doorway();
  const orTrouble =
    (doing: "reading" | "writing") =>
    (error: unknown): never => {
      throw troubleIn(error, doing);
    };

  return {
    kind: "postgres",
    // Turns first, so that many writers of one room take one connection and not all.
    write: (room, work) =>
      door.pass(() =>
        inRoom(room, () =>
          persistently(async () => {
            const { result, changed } = await db
              .transaction()
              // Under repeatable read the lock itself would take the snapshot, before the writer ahead has committed.
              .setIsolationLevel("read committed")
              .execute(async (trx) => {
                await lock(trx, room, true);
                const { tx, changed } = watched(trx, (other) => lock(trx, other, false));
                return { result: await work(tx), changed: changed() };
              });
            if (changed) hints.announce();
            return result;
          }).catch(orTrouble("writing")),
        ),
      ),
    version: () => null,
    read: (work) =>
      door.pass(() =>
        db
          .transaction()
          .setIsolationLevel("repeatable read")
          .setAccessMode("read only")
          .execute(work)
          .catch(orTrouble("reading")),
      ),
    async health() {
      const before = Date.now();
      const { rows } = await pool
        .query<{ now: number }>("select extract(epoch from clock_timestamp()) * 1000 as now")
        .catch(orTrouble("reading"));
      const apart = Math.round((rows[0]?.now ?? before) - (before + Date.now()) / 2);
      if (Math.abs(apart) <= clocksApart) return [];
      return [
        `The database's clock is ${(Math.abs(apart) / 1000).toFixed(1)} s ${apart > 0 ? "ahead of" : "behind"} this machine's. Set both by NTP: servers with different clocks expire each other's gates.`,
      ];
    },
    onHint: (listener) => hints.listen(listener),
    async backup() {
      throw new Refusal(
        "BAD_INPUT",
        "This store is in PostgreSQL. Back it up with pg_dump, e.g. pg_dump -Fc -f FILE URL.",
      );
    },
    async close() {
      if (!(await door.shut())) return;
      await hints.close();
      await pool.end();
    },
  };
}
