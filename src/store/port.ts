// The store as the rest sees it: one writer at a time per room, snapshots for readers, and a hint
// that something may have been committed elsewhere. A minute to read; sqlite.ts and postgres.ts fill it.
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export type Db = Kysely<Tables>;

export interface WriteTx {
  readonly db: Db;
  /** True once anything but presence was written through `db` since the last savepoint or start. */
  wrote(): boolean;
  /** What is written so far stays, even when what follows is refused. */
  savepoint(): Promise<void>;
  /** Back to the savepoint. */
  rollback(): Promise<void>;
  /** Takes a second room's lock too. Only ever `_server`, and last, so that no two writers wait for each other. */
  lock(room: string): Promise<void>;
}

export interface Store {
  readonly kind: "sqlite" | "postgres";
  /**
   * A transaction in which nobody else writes in `room`. Throwing rolls all back. A write inside a write
   * is a bug and throws. Under contention it waits without blocking the event loop.
   */
  write<T>(room: string, work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** One consistent snapshot. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Another one after every commit, of any process; null where that cannot be told. */
  version(): string | null;
  /** Calls back when another process may have committed. Only a hint: it can be early, late, doubled. */
  onHint(listener: () => void): () => void;
  /**
   * What is not well with the store though it works: a sentence each, with what to do. It looks anew at each call, and
   * gives back the space of a write-ahead log that is no longer needed.
   */
  health(): Promise<string[]>;
  /** A consistent copy of a SQLite store in `file` (mode 0600). PostgreSQL refuses, naming pg_dump. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
