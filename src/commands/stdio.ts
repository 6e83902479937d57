// parley stdio: MCP over standard input and output, on the same store.
import { readConfig } from "../config.ts";
import { serveStdio } from "../edges/mcp/stdio.ts";
import { callerByName, callerOfToken } from "../members/caller.ts";
import { version } from "../package.ts";
import { Refusal } from "../refusal.ts";
import { openLog } from "./log.ts";
import { openConfigured } from "./store.ts";

export async function stdio(options: { as?: string }): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config);
  const table = await openConfigured(config, log);
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
          ? `There is no member called ${options.as}; add it with: parley member add ${options.as}`
          : token
            ? "The token in PARLEY_TOKEN is not known here, or was revoked; make another with: parley token issue NAME"
            : "Set PARLEY_TOKEN to a member's token, or name the member with --as.",
      );
    if (options.as !== undefined && caller.actor.kind === "person")
      throw new Refusal("FORBIDDEN", "--as never acts for a person; people use the dashboard.");
    await serveStdio({ table, log, name: config.name, version, toolsets: config.toolsets, find });
  } finally {
    await table.close();
  }
}
