// The three stores that every suite of the store runs on, each fresh and migrated: a clean-up comes with it.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, inject } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/port.ts";

export interface Fresh {
  store: Store;
  /** What to open for a second handle on the same store. */
  where: string;
  /** Closes the store and removes what it stood in. */
  remove(): Promise<void>;
}

interface Maker {
  name: string;
  kind: Store["kind"];
  /** False for a store that only one handle can see. */
  shared: boolean;
  make(): Promise<Fresh>;
}

export const inMemory: Maker = {
  name: "SQLite in memory",
  kind: "sqlite",
  shared: false,
  async make() {
    const store = await openStore(":memory:");
    return { store, where: ":memory:", remove: () => store.close() };
  },
};

export const inFile: Maker = {
  name: "SQLite in a file",
  kind: "sqlite",
  shared: true,
  async make() {
    const folder = await mkdtemp(join(tmpdir(), "parley-store-"));
    const where = join(folder, "parley.db");
    const store = await openStore(where);
    return {
      store,
      where,
      async remove() {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/** Runs `work` on the server's first database. */
async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const urlOf = (database: string): string => {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  return url.href;
};

const template = "parley_template";
let prepared: Promise<void> | undefined;

/** Migrates once for all test files of a run; the lock keeps other workers waiting meanwhile. */
async function prepareTemplate(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock(1)");
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [template]);
    if (rowCount) return;
    const making = `${template}_in_making`;
    await client.query(`drop database if exists ${making} with (force)`);
    await client.query(`create database ${making}`);
    await (await openStore(urlOf(making))).close();
    await client.query(`alter database ${making} rename to ${template}`);
  } finally {
    await client.query("select pg_advisory_unlock(1)");
  }
}

/** An empty database: its URL, and how to remove it. */
export async function emptyPostgres(from = "template0"): Promise<{ where: string; remove(): Promise<void> }> {
  const database = `parley_${randomUUID().replaceAll("-", "")}`;
  await onServer((client) => client.query(`create database ${database} template ${from} strategy file_copy`));
  return {
    where: urlOf(database),
    remove: async () => void (await onServer((client) => client.query(`drop database ${database} with (force)`))),
  };
}

export const inPostgres: Maker = {
  name: "PostgreSQL",
  kind: "postgres",
  shared: true,
  async make() {
    prepared ??= onServer(prepareTemplate);
    await prepared;
    const { where, remove } = await emptyPostgres(template);
    const store = await openStore(where);
    return {
      store,
      where,
      async remove() {
        await store.close();
        await remove();
      },
    };
  },
};

/** Describes the same for SQLite in memory, SQLite in a file and PostgreSQL. */
export function eachStore(suite: (maker: Maker) => void): void {
  for (const maker of [inMemory, inFile, inPostgres]) describe(maker.name, () => suite(maker));
}
