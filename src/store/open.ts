// Opens the store, wherever it is: a file, `:memory:` or `postgres://…`, in the shape this version knows.
import { Refusal } from "../refusal.ts";
import { migrate } from "./migrate.ts";
import type { Store } from "./port.ts";
import { postgresStore } from "./postgres.ts";
import { sqliteStore } from "./sqlite.ts";
import { silent, type Warnings } from "./warnings.ts";

const isPostgres = (where: string): boolean => /^postgres(ql)?:\/\//.test(where);

/** Without user and password. */
const nameOf = (where: string): string =>
  isPostgres(where) ? where.replace(/\/\/[^/]*@/, "//").replace(/\?.*/, "") : where;

/** A host with several addresses fails with several errors and says nothing itself. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** @param where a file's path, `:memory:`, or a URL `postgres://…` */
export async function openStore(where: string, options: { log?: Warnings } = {}): Promise<Store> {
  let store: Store | undefined;
  try {
    store = isPostgres(where) ? postgresStore(where, options.log ?? silent) : await sqliteStore(where);
    await migrate(store);
    return store;
  } catch (error) {
    await store?.close();
    if (error instanceof Refusal) throw error;
    throw new Error(`The store ${nameOf(where)} cannot be opened: ${reason(error)}`, { cause: error });
  }
}
