// An instance of the MCP edge on a real port over any store, and clients for it.
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import pino from "pino";
import { expect } from "vitest";
import { mcpHandler } from "../../../src/edges/mcp/http.ts";
import type { Store } from "../../../src/store/port.ts";
import { inMemory } from "../../setup/stores.ts";
import { type HandClock, type Play, play, settled } from "../../table.ts";

export interface Instance extends Play {
  url: string;
  /** What the server logged. */
  logged: string[];
  connect(token: string, as?: { name?: string; session?: string }): Promise<Connected>;
  /** One POST, as it is. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Cuts every connection, as the death of a server would. */
  cut(): void;
  /** How many connections are open. */
  connections(): number;
  /** Ends the server and every connection; the store stays. */
  stop(): Promise<void>;
}

interface Connected {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** Calls a tool; the client has checked the result against the output schema. */
  call(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Called>;
}

export type Called = CallToolResult & { text: string; structuredContent: Record<string, unknown> };

export const quiet = pino({ level: "silent" });

/** An instance with an agent and an approver; `end` looks that nothing was logged and nobody waits. */
export async function crew(own: { clock?: HandClock; toolsets?: string[] } = {}, wrap: (p: Play) => Play = (p) => p) {
  const { store, remove } = await inMemory.make();
  const mcp = await instance(store, { ...own, play: wrap(play(store, own.clock)) });
  return {
    mcp,
    ada: await mcp.guest("ada"),
    zoe: await mcp.guest("zoe", { role: "approver" }),
    async end() {
      expect(mcp.logged).toEqual([]);
      await mcp.stop();
      expect(mcp.table.ring.size()).toBe(0);
      await remove();
    },
  };
}

export async function instance(
  store: Store,
  own: { clock?: HandClock; toolsets?: string[]; play?: Play } = {},
): Promise<Instance> {
  const p = own.play ?? play(store, own.clock);
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  const server = createServer(
    mcpHandler({ table: p.table, log, name: "Parley", version: "0.0.0", toolsets: own.toolsets }),
  );
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const clients: Client[] = [];

  return {
    ...p,
    url,
    logged,
    async connect(token, { name = "tester", session } = {}) {
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
        ...(session !== undefined && { sessionId: session }),
      });
      const client = new Client({ name, version: "1" });
      // biome-ignore lint/suspicious/noExplicitAny: the SDK's own class does not fit its interface under exactOptionalPropertyTypes
      await client.connect(transport as any);
      clients.push(client);
      return connected(client, transport);
    },
    post: (body, headers = {}) =>
      fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    cut: () => server.closeAllConnections(),
    connections: () => sockets.size,
    async stop() {
      for (const client of clients) await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connected(client: Client, transport: StreamableHTTPClientTransport): Connected {
  return {
    client,
    transport,
    call: (name, args = {}, options = {}) => callWith(client, name, args, options),
  };
}

export async function callWith(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: { signal?: AbortSignal } = {},
): Promise<Called> {
  const result = (await client.callTool({ name, arguments: args }, undefined, options)) as Called;
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const request = (method: string, params: Record<string, unknown> = {}, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export const initialize = (protocolVersion = "2025-11-25", name = "tester") =>
  request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name, version: "1" } });

/** Turns the clock on, little by little, until `promise` is settled: whoever waits may not have lain down yet. */
export async function turning<T>(clock: HandClock, promise: Promise<T>): Promise<T> {
  let over = false;
  const end = () => {
    over = true;
  };
  promise.then(end, end);
  while (!over) await clock.tick(1);
  return promise;
}

/** Looks again until `look` finds something. */
export async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await settled();
  }
}

/** A call for an approval, as a message. */
export const approval = (id: string | number, args: Record<string, unknown> = {}, meta?: Record<string, unknown>) =>
  request(
    "tools/call",
    { name: "request_approval", arguments: { title: "Deploy", ...args }, ...(meta && { _meta: meta }) },
    id,
  );

/** The caller no longer waits for that request. */
export const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
