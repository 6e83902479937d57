// parley backup: a consistent copy of the store, also while the server runs.
import { readConfig } from "../config.ts";
import { openStore } from "../store/open.ts";
import { out } from "./print.ts";

/** `FILE.<time>.bak` beside the store, with a time that sorts. */
export const backupName = (store: string, now: number): string =>
  `${store}.${new Date(now).toISOString().replace(/[-:]/g, "").slice(0, 15)}.bak`;

export async function backup(options: { to?: string }, now: number): Promise<void> {
  const config = readConfig(process.env);
  const store = await openStore(config.store);
  try {
    const file = options.to ?? backupName(config.store, now);
    await store.backup(file);
    out(file);
  } finally {
    await store.close();
  }
}
