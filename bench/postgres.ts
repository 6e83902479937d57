// A table on a PostgreSQL that is started for one measurement.
import { openConfigured } from "../src/commands/store.ts";
import { readConfig } from "../src/config.ts";
import { localOperator } from "../src/members/caller.ts";
import postgres from "../test/setup/postgres.ts";
import type { Bench } from "./bench.ts";

export async function onPostgres<T>(measure: (bench: Bench) => Promise<T>): Promise<T> {
  let url = "";
  const provide = (_: string, value: string) => {
    url = value;
  };
  const stop = await postgres({ provide } as unknown as Parameters<typeof postgres>[0]);
  const table = await openConfigured(readConfig({ PARLEY_STORE: url }));
  try {
    const add: Bench["add"] = async (name, role = "worker") => {
      const person = role === "approver" || role === "owner";
      const args = { name, role, ...(person && { person }) };
      return String((await table.perform(localOperator, "add_member", args)).result.token);
    };
    return await measure({ table, where: url, add });
  } finally {
    await table.close();
    await stop();
  }
}
