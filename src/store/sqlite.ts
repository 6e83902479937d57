// The store in a SQLite file or in memory: one connection writes, another reads.
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { Kysely } from "kysely";
import { Refusal } from "../refusal.ts";
import { doorway } from "./doorway.ts";
import { patiently } from "./patience.ts";
import type { Store } from "./port.ts";
import { makePrivate } from "./private-file.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { watchFile } from "./sqlite-hints.ts";
import type { Tables } from "./tables.ts";
import { together } from "./together.ts";
import { watched } from "./wrote.ts";

/** SQLite itself waits this long for a lock and holds up the loop; everything longer waits in patience.ts. */
const timeout = 50;

/** Size to which the write-ahead log shrinks again, and size above which something keeps it from that (bytes). */
const keptLog = 16 * 2 ** 20;
const largeLog = 64 * 2 ** 20;

async function openWriter(file: string): Promise<Database.Database> {
  const handle = new Database(file, { timeout });
  try {
    // Only where needed: it wants the file for itself.
    await patiently(() => {
      if (handle.pragma("journal_mode", { simple: true }) !== "wal") handle.pragma("journal_mode = wal");
    });
    // A person's decision survives a power cut.
    handle.pragma("synchronous = full");
    // The log of writes is cut to this size (bytes) once it is written from its beginning again.
    handle.pragma(`journal_size_limit = ${keptLog}`);
    handle.pragma("foreign_keys = on");
    // As on PostgreSQL: a row that is replaced is deleted first, and `like` tells upper from lower case.
    handle.pragma("recursive_triggers = on");
    handle.pragma("case_sensitive_like = on");
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

function openReader(file: string): Database.Database {
  const handle = new Database(file, { timeout, readonly: true });
  handle.pragma("case_sensitive_like = on");
  return handle;
}

export async function sqliteStore(where: string): Promise<Store> {
  const inMemory = where === ":memory:";
  const file = inMemory ? where : resolve(where);
  if (!inMemory) makePrivate(file);
  const writer = await openWriter(file);
  const reader = inMemory ? writer : openReader(file);
  const writing = new Kysely<Tables>({ dialect: sqliteDialect(writer) });
  const reading = inMemory ? writing : new Kysely<Tables>({ dialect: sqliteDialect(reader) });
  const write = together(writing);
  const door = doorway();
  const unwatch = new Set<() => void>();

  const dataVersion = writer.prepare<[], number>("pragma data_version").pluck();
  /** On the connection that writes, it moves by the commits of others only. */
  function othersCommits(): number | null {
    if (writer.inTransaction) return null;
    try {
      return dataVersion.get() ?? null;
    } catch {
      return null;
    }
  }

  // A connection that never reads anything else: in it the version moves with every commit of any other.
  const teller = inMemory ? null : openReader(file);
  const version = teller?.prepare<[], number>("pragma data_version").pluck();

  return {
    kind: "sqlite",
    version: () => (version ? String(version.get()) : null),
    // One writer at a time in the whole file: every room is locked with it.
    write: (_room, work) => door.pass(() => write((trx) => work(watched(trx, async () => {}).tx))),
    read: (work) => door.pass(() => reading.transaction().setAccessMode("read only").execute(work)),
    onHint(listener) {
      if (inMemory) return () => {};
      const stop = watchFile(file, othersCommits, listener);
      unwatch.add(stop);
      return () => {
        unwatch.delete(stop);
        stop();
      };
    },
    async health() {
      const size = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (inMemory || size() <= largeLog) return [];
      // On a connection of its own, since the others may be in a transaction. Where a reader is in the way it does nothing.
      const janitor = new Database(file, { timeout });
      try {
        janitor.pragma("wal_checkpoint(truncate)");
      } finally {
        janitor.close();
      }
      if (size() <= largeLog) return [];
      return [
        `The write-ahead log ${file}-wal has ${Math.round(size() / 2 ** 20)} MB, and grows with each write: another program has kept a reading transaction open. Find out which one has the store open, and end that.`,
      ];
    },
    backup: (to) =>
      door.pass(() => (inMemory ? writing.connection().execute(() => copy(writer, to)) : copyFile(file, to))),
    async close() {
      for (const stop of unwatch) stop();
      unwatch.clear();
      if (!(await door.shut())) return;
      // The writer last: it folds the write-ahead log back into the file.
      teller?.close();
      reader.close();
      writer.close();
    },
  };
}

/** From a connection of its own, in one snapshot, so that writers neither wait nor make it begin anew. */
async function copyFile(file: string, to: string): Promise<void> {
  const source = openReader(file);
  try {
    source.exec("begin; select count(*) from sqlite_schema");
    await copy(source, to);
  } finally {
    source.close();
  }
}

async function copy(source: Database.Database, to: string): Promise<void> {
  if (existsSync(to)) throw new Refusal("CONFLICT", `${to} already exists. Name another file for the backup.`);
  const part = `${to}.part`;
  rmSync(part, { force: true });
  makePrivate(part);
  try {
    await source.backup(part);
    chmodSync(part, 0o600);
    const written = openSync(part, "r");
    fsyncSync(written);
    closeSync(written);
    renameSync(part, to);
  } finally {
    rmSync(part, { force: true });
  }
}
