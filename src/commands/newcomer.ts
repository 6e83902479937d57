// An agent's token by the operator of the store: the one it has, or a new one; the agent itself is made where there is none.
import { existsSync } from "node:fs";
import { readConfig } from "../config.ts";
import { callerOfToken, localOperator } from "../members/caller.ts";
import { memberRow } from "../members/rows.ts";
import { Refusal } from "../refusal.ts";
import { withTable } from "./store.ts";

/** @param standing a token that may be its own */
export async function tokenByOperator(name: string, standing: string | undefined, room = "main"): Promise<string> {
  const { store } = readConfig(process.env);
  // Opening a store that is not there would make one.
  if (!/^postgres(ql)?:\/\//.test(store) && !existsSync(store))
    throw new Refusal(
      "UNAUTHENTICATED",
      `Set PARLEY_TOKEN to ${name}'s token; without it connect must run where Parley's store is (${store} is not there).`,
    );
  return withTable(async (table) => {
    const was = standing ? await table.store.read((db) => callerOfToken(db, standing)) : null;
    if (standing && was?.actor.member === name) return standing;
    const row = await table.store.read((db) => memberRow(db, name));
    const known = row && row.removed_at === null ? row : null;
    if (known?.kind === "person")
      throw new Refusal("FORBIDDEN", `${name} is a person; agents have names of their own.`);
    const { result } = known
      ? await table.perform(localOperator, "issue_token", { member: name, label: "connect" })
      : await table.perform(localOperator, "add_member", { name, room });
    process.stderr.write(
      known ? `Issued ${name} another token.\n` : `Added ${name} to ${room}, with a token of its own.\n`,
    );
    return String(result.token);
  });
}
