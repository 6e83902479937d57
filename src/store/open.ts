// Opens the store, wherever it is: a file, `:memory:` or `postgres://…`, in the shape this version knows.
import { type StoreLog, silent } from "./log.ts";
import { migrate } from "./migrate.ts";
import type { Store } from "./port.ts";
import { postgresStore } from "./postgres.ts";
import { sqliteStore } from "./sqlite.ts";

export const isPostgres = (where: string): boolean => /^postgres(ql)?:\/\//.test(where);

/** @param where a file's path, `:memory:`, or a URL `postgres://…` */
export async function openStore(where: string, options: { log?: StoreLog } = {}): Promise<Store> {
  const store = isPostgres(where) ? postgresStore(where, options.log ?? silent) : await sqliteStore(where);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
