// parley stdio: MCP over standard input and output, on the same store.
import { existsSync } from "node:fs";
import { readConfig } from "../config.ts";
import { serveStdio } from "../edges/mcp/stdio.ts";
import { callerByName, callerOfToken } from "../members/caller.ts";
import { version } from "../package.ts";
import { Refusal } from "../refusal.ts";
import { isPostgres, nameOf } from "../store/open.ts";
import { openLog } from "./log.ts";
import { openConfigured } from "./store.ts";

export async function stdio(options: { as?: string }): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config);
  mustBeThere(config.store);
  const table = await openConfigured(config, { log });
  const token = process.env.PARLEY_TOKEN;
  const find = () =>
    table.store.read((db) =>
      options.as !== undefined
        ? callerByName(db, options.as)
        : token
          ? callerOfToken(db, token)
          : Promise.resolve(null),
    );
  try {
    const caller = await find();
    if (!caller)
      throw new Refusal(
        "UNAUTHENTICATED",
        options.as !== undefined
          ? `There is no member called ${options.as} in the store ${nameOf(config.store)}; add it with: parley member add ${options.as}`
          : token
            ? `The token in PARLEY_TOKEN is not known in the store ${nameOf(config.store)}, or was revoked. ${whichStore()}Set PARLEY_STORE to the server's store, or make another token with: parley token issue NAME`
            : "Set PARLEY_TOKEN to a member's token, or name the member with --as.",
      );
    if (options.as !== undefined && caller.actor.kind === "person")
      throw new Refusal("FORBIDDEN", "--as never acts for a person; people use the dashboard.");
    await serveStdio({ table, log, name: config.name, version, toolsets: config.toolsets, find });
  } finally {
    await table.close();
  }
}

/** A client that was given the address of a server wants that server's store, which only PARLEY_STORE names. */
const whichStore = (): string =>
  process.env.PARLEY_URL ? "parley stdio opens the store itself and does not use PARLEY_URL. " : "";

/** A store that is not there would be made, empty, and know no token: a typing error would look like a revoked token. */
function mustBeThere(store: string): void {
  if (isPostgres(store) || existsSync(store)) return;
  throw new Refusal(
    "NOT_FOUND",
    `There is no store at ${store}. ${whichStore()}Set PARLEY_STORE to the server's store, or start the server first: parley serve`,
  );
}
