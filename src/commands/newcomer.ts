// An agent's token by the operator of the store: the one it has, or a new one; the agent itself is made where there is none.
import { existsSync } from "node:fs";
import { readConfig } from "../config.ts";
import { callerOfToken, localOperator } from "../members/caller.ts";
import { memberRow } from "../members/rows.ts";
import { Refusal } from "../refusal.ts";
import { isPostgres } from "../store/open.ts";
import type { Table } from "../table.ts";
import { withTable } from "./store.ts";

/**
 * @param standing a token that may be its own
 * @param label what a new one is known by. A token that was never used ends with it where it has the same label, or
 * where it is the one that the agent was added with
 */
export async function tokenByOperator(
  name: string,
  label: string,
  standing: string | undefined,
  room = "main",
): Promise<string> {
  const { store } = readConfig(process.env);
  // Opening a store that is not there would make one.
  if (!isPostgres(store) && !existsSync(store))
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
    if (!known) {
      const { result } = await table.perform(localOperator, "add_member", { name, room });
      process.stderr.write(`Added ${name} to ${room}, with a token of its own.\n`);
      return String(result.token);
    }
    const former = await unused(table, name, label);
    const { result } = await table.perform(localOperator, "issue_token", { member: name, label });
    for (const id of former) await table.perform(localOperator, "revoke_token", { token_id: id });
    const ended = former.length > 0 ? "; the one made before, which was never used, has ended" : "";
    process.stderr.write(`Issued ${name} another token${ended}.\n`);
    return String(result.token);
  });
}

/** What the token of a member is called that was added with it. */
const firstLabel = "first";

/** So that adding first, or looking again and again, leaves no heap of tokens that nobody holds. */
async function unused(table: Table, member: string, label: string): Promise<string[]> {
  const { result } = await table.perform(localOperator, "list_tokens", { member });
  const tokens = result.tokens as Array<{ id: string; label: string; used_at: unknown; revoked_at: unknown }>;
  return tokens
    .filter((one) => [label, firstLabel].includes(one.label) && !one.used_at && !one.revoked_at)
    .map(({ id }) => id);
}
