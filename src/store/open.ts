// Opens the store, wherever it is: a file, `:memory:` or `postgres://…`, in the shape this version knows.
import { Refusal } from "../refusal.ts";
import { isUpToDate, migrate } from "./migrate.ts";
import type { Store } from "./port.ts";
import { postgresStore } from "./postgres.ts";
import { sqliteStore } from "./sqlite.ts";
import { StoreUnavailable } from "./unavailable.ts";
import { silent, type Warnings } from "./warnings.ts";

export const isPostgres = (where: string): boolean => /^postgres(ql)?:\/\//.test(where);

/** Without user and password. */
export const nameOf = (where: string): string =>
  isPostgres(where) ? where.replace(/\/\/[^/]*@/, "//").replace(/\?.*/, "") : where;

/** A host with several addresses fails with several errors and says nothing itself. */
function reason(error: unknown): string {
  if (error instanceof StoreUnavailable) return reason(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reason).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** A big store may take minutes for a statement that changes its shape. */
async function patiently(store: Store, work: (store: Store) => Promise<void>): Promise<void> {
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** @param where a file's path, `:memory:`, or a URL `postgres://…` */
export async function openStore(where: string, options: { log?: Warnings } = {}): Promise<Store> {
  let store: Store | undefined;
  try {
    const log = options.log ?? silent;
    store = isPostgres(where) ? postgresStore(where, log) : await sqliteStore(where);
    if (await isUpToDate(store)) return store;
    if (isPostgres(where)) await patiently(postgresStore(where, log, 0), migrate);
    else await migrate(store);
    return store;
  } catch (error) {
    await store?.close();
    if (error instanceof Refusal) throw error;
    throw new Error(`The store ${nameOf(where)} cannot be opened: ${reason(error)}`, { cause: error });
  }
}
