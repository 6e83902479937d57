import { request as rawRequest } from "node:http";
import { expect, it } from "vitest";
import { inFile, inMemory } from "../../setup/stores.ts";
import { bearer, initialize, instance, request } from "./stage.ts";

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

async function one() {
  const { store, remove } = await inMemory.make();
  const mcp = await instance(store);
  const ada = await mcp.guest("ada");
  const auth = bearer(ada.token);
  return {
    mcp,
    ada,
    auth,
    post: (body: unknown, headers = {}) => mcp.post(body, { ...auth, ...headers }),
    async end() {
      await mcp.stop();
      await remove();
    },
  };
}

it("M1: a call acts as the member of its token", async () => {
  const { mcp, ada, end } = await one();
  const { client, call } = await mcp.connect(ada.token);
  expect(client.getServerVersion()).toMatchObject({ name: "Parley" });
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect(client.getInstructions()).toContain("whoami");
  const me = await call("whoami");
  expect(me.structuredContent).toMatchObject({ member: "ada", rooms: [{ room: "main", role: "worker" }] });
  expect(JSON.parse(me.text)).toEqual(me.structuredContent);
  expect(me.isError).toBeUndefined();
  await end();
});

it("M1: without a valid token every method is answered 401, before anything else is looked at", async () => {
  const { mcp, ada, end } = await one();
  const zoe = await mcp.guest("zoe", { role: "approver" });
  const spare = await zoe.does("issue_token", { member: "ada" });
  const { tokens } = (await zoe.does("list_tokens", { member: "ada" })) as {
    tokens: Array<{ id: string; label: string }>;
  };
  const id = tokens.find((token) => token.label === "token")?.id;
  await zoe.does("revoke_token", { token_id: id });
  const asked: Array<Record<string, string>> = [
    {},
    bearer("parley_wrong"),
    bearer(spare.token as string),
    bearer(""),
    { Authorization: `Basic ${ada.token}` },
    { Authorization: ada.token },
  ];
  for (const headers of asked) {
    const response = await mcp.post("{", { ...headers, "Content-Type": "text/plain" });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toMatchObject({ error: { code: "UNAUTHENTICATED", message: expect.any(String) } });
  }
  expect((await fetch(mcp.url)).status).toBe(401);
  expect((await mcp.post(initialize(), { Authorization: `bearer ${ada.token}` })).status).toBe(200);
  await end();
});

it("initialize: agrees on each protocol version, offers the newest for an unknown one, and names the session", async () => {
  const { post, end } = await one();
  for (const version of [...versions, "2026-07-28", "1999-01-01"]) {
    const response = await post(initialize(version, "Codex MCP/Client"), { "MCP-Protocol-Version": version });
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toMatch(/^codex-mcp-client\.[\w-]{16}$/);
    const { result } = (await response.json()) as { result: { protocolVersion: string } };
    expect(result.protocolVersion).toBe(versions.includes(version) ? version : "2025-11-25");
  }
  await end();
});

it("MCP-Protocol-Version: each known one and none is accepted, an unknown one refused with the supported ones", async () => {
  const { post, end } = await one();
  for (const version of versions)
    expect((await post(request("ping"), { "MCP-Protocol-Version": version })).status).toBe(200);
  expect(await (await post(request("ping"))).json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  const refused = await post(request("server/discover"), { "MCP-Protocol-Version": "2026-07-28" });
  expect(refused.status).toBe(400);
  const { error } = (await refused.json()) as { error: { message: string; data: { supported: string[] } } };
  expect(error.message).toContain("2025-11-25");
  expect(error.data.supported).toEqual(expect.arrayContaining(versions));
  await end();
});

it("POST: what is no JSON-RPC request is refused as JSON", async () => {
  const { post, end } = await one();
  const said = async (body: unknown, headers = {}) => {
    const response = await post(body, headers);
    const { error, id } = (await response.json()) as { error: { code: number; message: string }; id: unknown };
    expect(error.message).toEqual(expect.any(String));
    return [response.status, error.code, id];
  };
  expect(await said("{")).toEqual([400, -32700, null]);
  expect(await said("")).toEqual([400, -32700, null]);
  expect(await said([request("ping"), request("ping", {}, 2)])).toEqual([400, -32600, null]);
  expect(await said([])).toEqual([400, -32600, null]);
  expect(await said("null")).toEqual([400, -32600, null]);
  expect(await said({ id: 1, method: "ping" })).toEqual([400, -32600, null]);
  expect(await said({ jsonrpc: "2.0", id: null, method: "ping" })).toEqual([400, -32600, null]);
  expect(await said({ jsonrpc: "2.0", id: 1.5, method: "ping" })).toEqual([400, -32600, null]);
  expect(await said({ jsonrpc: "2.0", id: 4, method: 7 })).toEqual([400, -32600, 4]);
  expect(await said({ jsonrpc: "2.0", id: 4, method: "ping", params: [1] })).toEqual([400, -32600, 4]);
  expect(await said({ ...request("ping", {}, 4), more: 1 })).toEqual([200, -32600, 4]);
  expect(await said(request("ping", { _meta: { progressToken: {} } }, 4))).toEqual([400, -32600, 4]);
  expect(await said(request("resources/list", {}, 0))).toEqual([200, -32601, 0]);
  expect(await said(request("tools/call", { name: "no_such_tool" }, "a"))).toEqual([200, -32602, "a"]);
  expect(await said(request("tools/call", {}, "a"))).toEqual([200, -32602, "a"]);
  expect(await said(request("ping"), { "Content-Type": "text/plain" })).toEqual([415, -32600, null]);
  expect(await said(request("ping"), { "Content-Type": "application/jsonx" })).toEqual([415, -32600, null]);
  expect((await post(request("ping"), { "Content-Type": "application/json; charset=utf-8" })).status).toBe(200);
  expect((await post(request("ping"), { Accept: "text/html" })).status).toBe(200);
  await end();
});

it("POST: notifications and responses are taken with 202 and no body", async () => {
  const { post, end } = await one();
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
    { jsonrpc: "2.0", id: 3, result: {} },
    { jsonrpc: "2.0", id: 3, error: { code: 1, message: "no" } },
  ]) {
    const response = await post(message);
    expect([response.status, await response.text()]).toEqual([202, ""]);
  }
  await end();
});

it("GET, DELETE and the rest: 405 that says POST", async () => {
  const { mcp, auth, end } = await one();
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
    const response = await fetch(mcp.url, { method, headers: { ...auth, Accept: "text/event-stream" } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toHaveProperty("error");
  }
  await end();
});

it("POST: 1 MiB is read, more is 413 with or without a length, and the connection goes on", async () => {
  const { mcp, post, auth, end } = await one();
  const ping = (size: number) => JSON.stringify(request("ping")).padEnd(size, " ");
  expect((await post(ping(1024 * 1024))).status).toBe(200);
  expect((await post(ping(1024 * 1024 + 1))).status).toBe(413);
  expect((await post(ping(2 * 1024 * 1024))).status).toBe(413);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const req = rawRequest(
      mcp.url,
      { method: "POST", headers: { ...auth, "Content-Type": "application/json" } },
      (res) => {
        res.resume();
        resolve(res.statusCode);
      },
    );
    req.on("error", reject);
    for (let i = 0; i < 32; i++) req.write(" ".repeat(64 * 1024));
    req.end();
  });
  expect(status).toBe(413);
  expect((await post(request("ping"))).status).toBe(200);
  expect(mcp.logged).toEqual([]);
  await end();
});

it("POST: a caller that breaks off in the middle of its body harms nobody", async () => {
  const { mcp, post, auth, end } = await one();
  await new Promise<void>((resolve) => {
    const req = rawRequest(mcp.url, {
      method: "POST",
      headers: { ...auth, "Content-Type": "application/json", "Content-Length": "1000" },
    });
    req.on("error", () => resolve());
    req.write("{", () => req.destroy(new Error("off")));
  });
  expect((await post(request("ping"))).status).toBe(200);
  expect(mcp.logged).toEqual([]);
  await end();
});

it("POST: a body of bytes that are not UTF-8 is refused", async () => {
  const { mcp, auth, end } = await one();
  const response = await fetch(mcp.url, {
    method: "POST",
    headers: { ...auth, "Content-Type": "application/json" },
    body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping\xff"}', "latin1"),
  });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  await end();
});

it("tools/call: a refusal is a result with code, sentence and facts, and fits the output schema", async () => {
  const { mcp, ada, end } = await one();
  const { client, call } = await mcp.connect(ada.token);
  // From here on the client checks structured content against the schemas.
  await client.listTools();
  const refused = await call("wait_for_gate", { gate_id: "nothing", wait_seconds: 0 });
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(/^NOT_FOUND: .+/);
  expect(refused.structuredContent).toMatchObject({ error: { code: "NOT_FOUND", message: expect.any(String) } });
  const bad = await call("request_approval", { titel: "Deploy" });
  expect(bad.text).toMatch(/^BAD_INPUT: request_approval: .*titel/);
  expect(bad.structuredContent).toMatchObject({
    error: { code: "BAD_INPUT", known: expect.arrayContaining(["title"]) },
  });
  await expect(call("no_such_tool")).rejects.toMatchObject({ code: -32602 });
  await end();
});

it("tools/call: arguments that are no object are refused in words", async () => {
  const { post, end } = await one();
  for (const args of ["x", 7, ["a"], true]) {
    const response = await post(request("tools/call", { name: "whoami", arguments: args }));
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { result: { isError: true, structuredContent: { error: { code: "BAD_INPUT" } } } },
    ]);
  }
  for (const args of [undefined, null, {}])
    expect(await (await post(request("tools/call", { name: "whoami", arguments: args }))).json()).toMatchObject({
      result: { structuredContent: { member: "ada" } },
    });
  await end();
});

it("tools/call: what asks to be a task is answered as a call", async () => {
  const { post, end } = await one();
  const response = await post(request("tools/call", { name: "whoami", arguments: {}, task: { ttl: 60_000 } }));
  expect(await response.json()).toMatchObject({ result: { structuredContent: { member: "ada" } } });
  await end();
});

it("G4: no MCP tool decides, whoever asks", async () => {
  const { mcp, ada, end } = await one();
  const zoe = await mcp.guest("zoe", { role: "owner" });
  const { gate } = (await ada.does("request_approval", { title: "Deploy", wait_seconds: 0 })) as {
    gate: { id: string };
  };
  for (const token of [ada.token, zoe.token]) {
    const { call } = await mcp.connect(token);
    const refused = await call("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(refused.structuredContent).toMatchObject({ error: { code: "FORBIDDEN" } });
  }
  const { gates } = await (await mcp.connect(zoe.token)).call("list_gates").then((r) => r.structuredContent);
  expect(gates).toMatchObject([{ id: gate.id, status: "pending" }]);
  await end();
});

it("tools/call: what breaks inside is answered INTERNAL with an id, logged, and tells nothing more", async () => {
  const { mcp, ada, end } = await one();
  const { call } = await mcp.connect(ada.token);
  const perform = mcp.table.perform;
  mcp.table.perform = async () => {
    throw new TypeError("secret inside");
  };
  const broken = await call("whoami");
  mcp.table.perform = perform;
  const { error } = broken.structuredContent as { error: { code: string; id: string } };
  expect(broken.isError).toBe(true);
  expect(broken.text).toMatch(/^INTERNAL: .*internal error/);
  expect(error.code).toBe("INTERNAL");
  expect(JSON.stringify(broken)).not.toContain("secret");
  expect(mcp.logged.join()).toContain(error.id);
  await end();
});

it("G16: an old session's name goes on after a restart, and on another instance", async () => {
  const { store, where, remove } = await inFile.make();
  const first = await instance(store);
  const ada = await first.guest("ada");
  const { transport } = await first.connect(ada.token, { name: "gemini-cli-mcp-client" });
  const session = transport.sessionId;
  expect(session).toMatch(/^gemini-cli-mcp-client\./);

  const { openStore } = await import("../../../src/store/open.ts");
  const second = await instance(await openStore(where), { clock: first.clock });
  const there = await second.connect(ada.token, session === undefined ? {} : { session });
  expect((await there.call("whoami")).structuredContent).toMatchObject({ member: "ada" });
  await second.stop();
  await second.table.close();
  await first.stop();

  const again = await instance(store, { play: first });
  const back = await again.connect(ada.token, session === undefined ? {} : { session });
  expect((await back.call("whoami")).structuredContent).toMatchObject({ member: "ada" });
  expect(
    (await again.post(request("ping"), { ...bearer(ada.token), "Mcp-Session-Id": "anything at all" })).status,
  ).toBe(200);
  await again.stop();
  await remove();
});
