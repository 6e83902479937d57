// Parley as `npm start` runs it, on the store in the first argument.
import pino from "pino";
import { openConfigured } from "../src/commands/store.ts";
import { readConfig } from "../src/config.ts";
import { startServer } from "../src/edges/server.ts";
import { tell } from "./probe.ts";

const config = readConfig({ PARLEY_STORE: process.argv[2], PARLEY_PORT: "0", PARLEY_MAX_PENDING: "10000" });
const table = await openConfigured(config);
const server = await startServer(table, config, pino({ level: "warn" }, pino.destination(2)));
tell(`${server.url}/mcp`);
