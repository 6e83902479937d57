// A server killed in a long hold, and back some seconds later: the client finds it again by itself.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";
import { callWith } from "../edges/mcp/stage.ts";
import { found, openPlace, pause, type Server } from "./parley.ts";

/** How long the server is away, ms: more than the SDK's own two tries reach, which end after 2.5 s. */
const away = 3500;

/** A client that asks for this protocol, as Codex and Gemini CLI do. */
async function older(server: Server, token: string, protocol: string) {
  const transport = new StreamableHTTPClientTransport(new URL("mcp", server.url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const begins = !Array.isArray(message) && "method" in message && message.method === "initialize";
    if (!begins) return send(message, options);
    const params = { ...message.params, protocolVersion: protocol };
    return send({ ...message, params } as JSONRPCMessage, options);
  };
  const client = new Client({ name: "gemini-cli-mcp-client", version: "1" });
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own class does not fit its interface under exactOptionalPropertyTypes
  await client.connect(transport as any);
  onTestFinished(() => client.close());
  return { client, version: () => transport.protocolVersion };
}

it("G16: killed in a long hold and back in 3.5 s, a client of protocol 2025-06-18 goes on by itself and gets the answer", async () => {
  const place = await openPlace();
  onTestFinished(() => place.remove());
  const [zoe, ada] = await Promise.all([place.member("zoe", "--role", "owner"), place.member("ada")]);
  const server = await place.serve();
  const { client, version } = await older(server, ada, "2025-06-18");
  expect(version()).toBe("2025-06-18");
  const heard: number[] = [];
  const words = { title: "Deploy", wait_seconds: 200 };
  const call = client.callTool({ name: "request_approval", arguments: words }, undefined, {
    onprogress: ({ progress }) => void heard.push(progress),
    timeout: 60_000,
  });
  const [gate] = await found(async () => {
    const { gates } = (await server.api(zoe, "list_gates", { status: "pending" })).body;
    return heard.length > 0 && gates.length > 0 && gates;
  });
  await server.kill("SIGKILL");
  await pause(away);
  const again = await place.serve({ port: server.port });
  // It is told to call again, and that call has the answer.
  expect(await call).toMatchObject({ isError: true, structuredContent: { error: { code: "CONFLICT" } } });
  const waiting = callWith(client, "request_approval", { title: "Deploy" });
  await again.api(zoe, "decide_gate", { gate_id: gate.id, decision: "approve" });
  expect((await waiting).structuredContent).toMatchObject({ gate: { id: gate.id, status: "approved" } });
}, 60_000);
