// Kysely on one SQLite connection: transactions one after the other, in the order they came;
// those that write take the file's lock at once, so that a read in them is never stale.
import type Database from "better-sqlite3";
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector } from "kysely";
import { SqliteCompiler } from "./compilers.ts";
import { patiently } from "./patience.ts";
import { sqliteConnection } from "./sqlite-connection.ts";
import { takeTurns } from "./turns.ts";

function sqliteDriver(handle: Database.Database): Driver {
  const connection = sqliteConnection(handle);
  const turns = takeTurns();
  return {
    async init() {},
    async destroy() {},
    async acquireConnection() {
      await turns.enter();
      return connection;
    },
    async releaseConnection() {
      turns.leave();
    },
    async beginTransaction(_connection, { accessMode }) {
      await patiently(() => connection.begin(accessMode === "read only" ? "begin" : "begin immediate"));
    },
    async commitTransaction() {
      connection.commit();
    },
    async rollbackTransaction() {
      connection.rollback();
    },
  };
}

export const sqliteDialect = (handle: Database.Database): Dialect => ({
  createDriver: () => sqliteDriver(handle),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteCompiler(),
});
