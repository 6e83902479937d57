// One set of limits at one store, whichever process is asked; and a store that is not there is not made by a client.
import { expect, it, onTestFinished } from "vitest";
import { openConfigured } from "../../src/commands/store.ts";
import { readConfig } from "../../src/config.ts";
import { callerOfToken, localOperator } from "../../src/members/caller.ts";
import { inFile, inPostgres } from "../setup/stores.ts";

it.each([inFile, inPostgres])("A5: other processes follow the limits of the server, on $name", async (maker) => {
  const { where, remove } = await maker.make();
  onTestFinished(remove);
  const opened = async (env: Record<string, string>, serves = false) => {
    const table = await openConfigured(readConfig({ PARLEY_STORE: where, PARLEY_LOG: "error", ...env }), { serves });
    return {
      does: async (action: string, args: Record<string, unknown>) =>
        (await table.perform(localOperator, action, args)).result,
      close: () => table.close(),
      table,
    };
  };
  const server = await opened({ PARLEY_LEASE_SECONDS: "7" }, true);
  const { token } = await server.does("add_member", { name: "ada", role: "lead" });
  const other = await opened({ PARLEY_LEASE_SECONDS: "900" });
  const ada = await other.table.store.read((db) => callerOfToken(db, String(token)));
  if (!ada) throw new Error("ada's token is not known");
  await other.table.perform(ada, "create_task", { title: "Something" });
  const { result } = await other.table.perform(ada, "claim_task", { task_id: 1 });
  const { lease_until } = result.task as { lease_until: string };
  expect(Date.parse(lease_until) - Date.now()).toBeLessThanOrEqual(7000);
  await Promise.all([server.close(), other.close()]);
  // What was changed is a fact; what was not is none.
  const again = await opened({ PARLEY_LEASE_SECONDS: "7", PARLEY_MAX_PENDING: "3" }, true);
  const facts = await again.table.store.read((db) =>
    db.selectFrom("log").select("data").where("action", "=", "limits.set").orderBy("seq").execute(),
  );
  expect(facts.map(({ data }) => data)).toEqual([
    { maxPending: 20, criticalDelay: 60, lease: 7, remind: 600 },
    { maxPending: 3 },
  ]);
  await again.close();
});
