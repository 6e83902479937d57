// Parley as its users run it: real processes on one store, started, killed and started again, and the clients that
// speak to them. Whatever ends this process, none of them stays behind.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import Database from "better-sqlite3";
import pg from "pg";
import { root } from "../../src/package.ts";
import { type Called, callWith } from "../edges/mcp/stage.ts";
import { built } from "../setup/built.ts";

export type Json = Record<string, unknown>;

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface Begun {
  /** Resolves once it has ended. */
  over: Promise<Ran>;
  kill(signal?: NodeJS.Signals): void;
  /** Nobody reads its stdout any more. */
  turnAway(): void;
}

export type Row = Record<string, unknown>;

/** An MCP client that is connected, over whatever. */
export interface Agent {
  client: Client;
  /** Calls a tool; the client has checked the result against its output schema. */
  call(tool: string, args?: Json, options?: { signal?: AbortSignal }): Promise<Called>;
  /** The session id that the server gave, over HTTP. */
  session(): string | undefined;
  /** Of the server's process, over stdio. */
  pid: number | null;
  close(): Promise<void>;
}

export interface Server {
  /** With a slash at the end. */
  url: string;
  port: number;
  pid: number;
  /** What it said on stdout and on stderr. */
  said(): Ran;
  /** Resolves once it is gone. */
  kill(signal?: NodeJS.Signals): Promise<Ran>;
  signal(signal: NodeJS.Signals): void;
  agent(token: string, name?: string): Promise<Agent>;
  /** `POST /api/ACTION` with a token; throws where no answer came. */
  api(token: string, action: string, args?: Json, options?: { signal?: AbortSignal }): Promise<ApiAnswer>;
  /** New members, by a person who may: their tokens. */
  add(token: string, names: readonly string[], more?: Json): Promise<string[]>;
}

interface ApiAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the action answers
  body: any;
}

export interface Place {
  folder: string;
  /** A file that is not there yet, or a URL. */
  store: string;
  /** Starts a command. */
  begin(words: readonly string[], env?: Record<string, string>): Begun;
  /** Runs a command to its end. */
  run(words: readonly string[], env?: Record<string, string>): Promise<Ran>;
  serve(options?: { port?: number; env?: Record<string, string> }): Promise<Server>;
  /** A new member by the command line; its token. */
  member(name: string, ...words: string[]): Promise<string>;
  /** A one-time sign-in link by the command line. */
  link(server: Server, person?: string): Promise<string>;
  stdio(token: string, name?: string): Promise<Agent>;
  /** Reads the store past everything that Parley does. */
  query(sql: string): Promise<Row[]>;
  remove(): Promise<void>;
}

const command = [await built()];
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Nothing of this process's own settings goes along. */
const plainEnv = (own: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => !/^(PARLEY|VITEST|NODE_)/.test(entry[0])),
  ),
  PARLEY_LOG: "warn",
  ...own,
});

function start(
  words: readonly string[],
  env: Record<string, string>,
  file = process.execPath,
  mine = new Set<ChildProcess>(),
) {
  const child = spawn(file, words, { cwd: root, env: plainEnv(env), stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  mine.add(child);
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    ran.err += chunk;
  });
  const over = once(child, "close").then(([code]): Ran => {
    running.delete(child);
    mine.delete(child);
    ran.code = code as number | null;
    return ran;
  });
  return { child, ran, over };
}

/**
 * Free, and outside of what systems hand out to clients: a client that calls a server which has just died would
 * otherwise, once in a while, be given that very port and meet itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks again until `look` finds something. */
export async function found<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(10);
  }
}

/** A call to somebody who may be dead just now: again until it is answered. */
export async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await pause(100);
    }
  }
}

/** The connection broke or was not made: nothing is known of what was asked. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  /fetch failed|terminated|ECONNRE|EPIPE|other side closed|socket hang up|Connection closed|Not connected/.test(
    error.message,
  );

async function connect(transport: Transport, name: string): Promise<Client> {
  const client = new Client({ name, version: "1" });
  await client.connect(transport);
  return client;
}

async function query(store: string, sql: string): Promise<Row[]> {
  if (!store.startsWith("postgres:")) {
    const db = new Database(store, { readonly: true });
    try {
      return db.prepare<[], Row>(sql).all();
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** @param given a store that is there already; a file that is not there yet otherwise */
export async function openPlace(given?: { where: string; remove(): Promise<void> }): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "parley-e2e-"));
  const store = given?.where ?? join(folder, "home", "parley.db");
  const agents = new Set<Agent>();
  const env = { PARLEY_STORE: store };
  const mine = new Set<ChildProcess>();
  let open = true;
  const launch = (words: readonly string[], own: Record<string, string>) => {
    if (!open) throw new Error("this place is gone");
    return start([...command, ...words], { ...env, ...own }, process.execPath, mine);
  };

  function agentOf(client: Client, session: () => string | undefined, pid: number | null): Agent {
    const agent: Agent = {
      client,
      call(tool, args = {}, options = {}) {
        const called = callWith(client, tool, args, options);
        // Who has failed before it came to look has failed already.
        called.catch(() => {});
        return called;
      },
      session,
      pid,
      async close() {
        agents.delete(agent);
        await client.close();
      },
    };
    agents.add(agent);
    return agent;
  }

  const begin: Place["begin"] = (words, own = {}) => {
    const { child, over } = launch(words, own);
    return {
      over,
      kill: (signal = "SIGKILL") => void child.kill(signal),
      turnAway: () => void child.stdout.destroy(),
    };
  };
  const run: Place["run"] = (words, own) => begin(words, own).over;

  async function json(words: readonly string[], own: Record<string, string> = {}): Promise<Json> {
    const ran = await run([...words, "--json"], own);
    if (ran.code !== 0) throw new Error(`parley ${words.join(" ")} ended with ${ran.code}: ${ran.err}`);
    return JSON.parse(ran.out) as Json;
  }

  return {
    folder,
    store,
    begin,
    run,
    async serve({ port, env: own = {} } = {}) {
      const at = { PARLEY_PORT: String(port ?? (await freePort())) };
      const { child, ran, over } = launch(["serve"], { ...at, ...own });
      const dead = over.then(({ code, err }) => {
        throw new Error(`the server ended with ${code}: ${err}`);
      });
      dead.catch(() => {});
      const address = found(() => /Dashboard +(http:\S+\/)/.exec(ran.out)?.[1]);
      const url = await Promise.race([address, dead]);
      const server: Server = {
        url,
        port: Number(new URL(url).port),
        pid: child.pid ?? 0,
        said: () => ran,
        async kill(signal = "SIGKILL") {
          child.kill(signal);
          return over;
        },
        signal: (signal) => void child.kill(signal),
        async agent(token, name = "tester") {
          const transport = new StreamableHTTPClientTransport(new URL(`${url}mcp`), {
            requestInit: { headers: { Authorization: `Bearer ${token}` } },
          });
          const client = await connect(transport as Transport, name);
          return agentOf(client, () => transport.sessionId, null);
        },
        async api(token, action, args = {}, { signal } = {}) {
          const res = await fetch(`${url}api/${action}`, {
            method: "POST",
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
            body: JSON.stringify(args),
            ...(signal && { signal }),
          });
          return { status: res.status, body: await res.json() };
        },
        add: (token, names, more = {}) =>
          Promise.all(
            names.map(async (name) => {
              const { status, body } = await server.api(token, "add_member", { name, ...more });
              if (status !== 200) throw new Error(`${name} was not added: ${JSON.stringify(body)}`);
              return String(body.token);
            }),
          ),
      };
      return server;
    },
    async member(name, ...words) {
      return String((await json(["member", "add", name, ...words])).token);
    },
    async link(server, person) {
      const named = person === undefined ? [] : ["--person", person];
      return String((await json(["link", ...named], { PARLEY_PORT: String(server.port) })).url);
    },
    async stdio(token, name = "tester") {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...command, "stdio"],
        cwd: root,
        env: plainEnv({ ...env, PARLEY_TOKEN: token }),
        stderr: "pipe",
      });
      const client = await connect(transport, name);
      return agentOf(client, () => undefined, transport.pid);
    },
    query: (sql) => query(store, sql),
    async remove() {
      open = false;
      await Promise.allSettled([...agents].map((agent) => agent.close()));
      // Those that were just being started too, by whoever has failed meanwhile.
      await Promise.all(
        [...mine].map((child) => {
          child.kill("SIGKILL");
          return once(child, "close");
        }),
      );
      await given?.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** `npm run NAME` on a place's store. */
export const npm = (place: Place, ...words: string[]): Promise<Ran> =>
  start(["run", "-s", ...words], { PARLEY_STORE: place.store }, "npm").over;
