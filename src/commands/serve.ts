// parley serve: the server, and what a person has to know to use it.
import { networkInterfaces } from "node:os";
import { standStill } from "../board/downtime.ts";
import { type Config, readConfig } from "../config.ts";
import { startServer } from "../edges/server.ts";
import { waitForClients } from "../gates/endings.ts";
import { localOperator } from "../members/caller.ts";
import { persons } from "../members/rows.ts";
import { openSender } from "../notify/sender.ts";
import { version } from "../package.ts";
import type { Table } from "../table.ts";
import { showLink } from "./link.ts";
import { openLog } from "./log.ts";
import { out } from "./print.ts";
import { addressOf, openConfigured } from "./store.ts";

export async function serve(options: { lan?: boolean }): Promise<void> {
  const lan = options.lan ?? false;
  // Who reads the welcome may go before it is over; the server stays.
  process.stdout.on("error", () => {});
  const config = readConfig(process.env, lan ? { host: "0.0.0.0" } : {});
  const log = openLog(config);
  const table = await openConfigured(config, { log, serves: true });
  await standStill(table.store, table.clock.now());
  await waitForClients(table.store, table.clock.now());
  const server = await startServer(table, config, log, { lan }).catch(async (error) => {
    await table.close();
    throw error;
  });
  const port = Number(new URL(server.url).port || 80);
  const sender = openSender(table, { address: addressOf(config, port), remind: config.remind }, log);
  await welcome(table, config, port, lan);

  let closing = false;
  const stop = async () => {
    if (closing) process.exit(1);
    closing = true;
    await server.close();
    // Another process on the same store does not take them for gone while this one is restarted.
    await waitForClients(table.store, table.clock.now());
    await sender.close();
    await table.close();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

async function welcome(table: Table, config: Config, port: number, lan: boolean): Promise<void> {
  const address = addressOf(config, port);
  const where = config.store.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, "$1:…@");
  out(`Parley ${version} is ready.`);
  out("");
  out(`  Dashboard   ${address}`);
  if (lan) for (const other of lanAddresses(config, port)) out(`              ${other}`);
  out(`  MCP         ${address}mcp`);
  out(`  Store       ${where}`);
  out("");
  if (lan) out("  Anyone on this network can reach this server, without encryption. Use it on networks you trust.\n");
  const people = await table.store.read((db) => persons(db));
  if (process.stdout.isTTY && people.length <= 1) {
    const { result } = await table.perform(localOperator, "make_link", {});
    const link = lan ? (lanAddresses(config, port)[0] ?? address) : address;
    out("  Sign in once with this link (10 minutes, one use):");
    await showLink(`${link}#link=${result.code}`);
  } else out("  Sign in     make a one-time link with: npm run -s parley -- link");
  out("");
  out("  Connect an agent: this makes it, its token, and the settings of its client.");
  out("    npm run -s parley -- connect claude ada --write");
  out("  The same with codex, gemini, opencode, cursor or vscode; by hand: README.md, “Connect an agent”.");
}

function lanAddresses(config: Config, port: number): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => `http://${address}:${port}${config.basePath}/`);
}
