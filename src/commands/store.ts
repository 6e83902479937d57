// Commands that act on the store itself: whoever can read it is its operator.

import type { Logger } from "pino";
import type { Result } from "../action.ts";
import { wallClock } from "../clock.ts";
import { keepTime } from "../clockwork.ts";
import { type Config, readConfig } from "../config.ts";
import { limitsOf, setLimits } from "../limits.ts";
import { localOperator } from "../members/caller.ts";
import { keyFileOf, keyIn, publish } from "../receipts/keys.ts";
import { openStore } from "../store/open.ts";
import { openTable, type Table } from "../table.ts";
import { openLog, reportTo } from "./log.ts";

/**
 * @param serves this is the server: its limits hold at this store from now on. Any other process follows those that the
 * server has written down, where it has
 */
export async function openConfigured(
  config: Config,
  { log = openLog(config), serves = false }: { log?: Logger; serves?: boolean } = {},
): Promise<Table> {
  const key = await keyIn(keyFileOf(config.store));
  const store = await openStore(config.store, { log });
  const limits = serves ? {} : await store.read(limitsOf);
  const table = openTable(store, wallClock, { ...config, ...limits, sign: key.sign }, reportTo(log));
  await publish(table.write, key);
  if (serves) await setLimits(table.write, config);
  const stop = keepTime(table);
  return {
    ...table,
    async close() {
      await stop();
      await table.close();
    },
  };
}

/** Opens the configured store, lets `work` use it, closes it. */
export async function withTable<T>(work: (table: Table, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const table = await openConfigured(config);
  try {
    return await work(table, config);
  } finally {
    await table.close();
  }
}

/** Performs one action as the operator. */
export function operate(action: string, args: Record<string, unknown>): Promise<Result> {
  return withTable(async (table) => (await table.perform(localOperator, action, args)).result);
}

/** The dashboard's address as people open it. */
export function addressOf(config: Config, port: number = config.port): string {
  if (config.publicUrl) return `${config.publicUrl}/`;
  const host = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${config.basePath}/`;
}
