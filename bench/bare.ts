// What it is measured against: the SDK's own server and HTTP transport, with sessions and one tool that echoes.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { tell } from "./probe.ts";

const sessions = new Map<string, StreamableHTTPServerTransport>();

async function open(): Promise<StreamableHTTPServerTransport> {
  const server = new McpServer({ name: "bare", version: "1" });
  server.registerTool("echo", { description: "Echoes.", inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own class does not fit its interface under exactOptionalPropertyTypes
  await server.connect(transport as any);
  return transport;
}

const server = createServer(async (req, res) => {
  const transport = sessions.get(String(req.headers["mcp-session-id"])) ?? (await open());
  await transport.handleRequest(req, res);
});
server.listen(0, "127.0.0.1", () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
