// Opens the store, wherever it is: a file, `:memory:` or `postgres://…`, in the shape this version knows.
import { migrate } from "./migrate.ts";
import type { Store } from "./port.ts";
import { sqliteStore } from "./sqlite.ts";

export async function openStore(where: string): Promise<Store> {
  const store = await sqliteStore(where);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
