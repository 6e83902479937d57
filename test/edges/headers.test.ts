import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../src/package.ts";
import { inMemory } from "../setup/stores.ts";
import { ask } from "../stage.ts";
import { type Answered, type Served, serve } from "./stage.ts";

const { make } = inMemory;
const json = { accept: "application/json, text/event-stream" };

function expectSecure(headers: Answered["headers"], where: string): void {
  expect(headers, where).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
  });
}

/** One connection's answer to bytes as they are: status and headers. */
function raw(s: Served, bytes: string): Promise<{ status: number; headers: Answered["headers"] }> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(s.port, "127.0.0.1", () => void socket.write(bytes));
    socket.on("data", (part) => {
      said += part;
      if (!said.includes("\r\n\r\n")) return;
      const [first = "", ...lines] = said.slice(0, said.indexOf("\r\n\r\n")).split("\r\n");
      const headers = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.split(": ")[1]]);
      resolve({ status: Number(first.split(" ")[1]), headers: Object.fromEntries(headers) });
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const files = readdirSync(join(root, "public"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "public").length));
const vendor = JSON.parse(readFileSync(join(root, "public", "vendor.json"), "utf8")) as Record<string, string>;

describe("security headers", () => {
  it("E2: come with every file, page, route and error", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    await s.signIn("zoe");
    const as = { authorization: `Bearer ${ada.token}` };
    const routes = ["/", "/gate/x", "/?gate=x", "/healthz", "/readyz", "/status", "/session", "/mcp", "/ws", "/api"];
    const gets = [...routes, "/api/whoami", "/hooks/claude-code", "/.well-known/parley-key.json", "/no", "/%", "/%00"];
    const statuses = new Set<number>();
    const look = async (path: string, asked: Parameters<Served["http"]>[1] = {}) => {
      const answer = await s.http(path, asked);
      statuses.add(answer.status);
      expectSecure(answer.headers, `${asked.method ?? "GET"} ${path} ${answer.status}`);
    };
    for (const path of [...files, ...Object.keys(vendor).map((address) => `/${address}`)]) await look(path);
    for (const path of gets)
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]) await look(path, { method });
    for (const path of ["/api/whoami", "/api/nothing", "/mcp", "/hooks/claude-code", "/session", "/no"])
      for (const headers of [{}, as, { ...as, ...json }, { ...as, "content-type": "text/plain" }])
        for (const body of [{}, "{", "x".repeat(2 << 20)]) await look(path, { method: "POST", headers, body });
    await look("/main.js", { headers: { range: "bytes=999999999-" } });
    const { etag = "" } = (await s.http("/main.js")).headers;
    await look("/main.js", { headers: { "if-none-match": String(etag) } });
    await look("/", { headers: { host: "evil.example" } });
    await look("/", { headers: { origin: "https://evil.example" } });
    for (const status of [200, 304, 400, 401, 403, 404, 405, 413, 415]) expect([...statuses]).toContain(status);
  });

  it("E2: come with a call that is held, and with what is redirected", async () => {
    const s = await serve(make, { basePath: "/team" });
    const ada = await s.guest("ada");
    await s.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { title: "T" });
    const call = { name: "wait_for_gate", arguments: { gate_id: gate.id, wait_seconds: 240 } };
    const held = await fetch(`${s.url}/mcp`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", authorization: `Bearer ${ada.token}` },
        ...{ ...json, "user-agent": "codex" },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    });
    expect(held.headers.get("content-type")).toBe("text/event-stream");
    expectSecure(Object.fromEntries(held.headers), "a stream");
    await held.body?.cancel();
    const moved = await fetch(new URL("/team", s.url), { redirect: "manual" });
    expectSecure(Object.fromEntries(moved.headers), "a redirect");
    const beside = await fetch(new URL("/other", s.url));
    expectSecure(Object.fromEntries(beside.headers), "beside the base path");
  });

  it("E2: come with what never became a request", async () => {
    const s = await serve(make);
    const host = `Host: 127.0.0.1:${s.port}\r\n`;
    const upgrade = `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
    for (const [bytes, status] of [
      ["GARBAGE\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
      [`POST /session HTTP/1.1\r\n${host}Expect: more\r\nContent-Length: 2\r\n\r\n{}`, 417],
      [`GET /ws HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`, 400],
      [`GET /no HTTP/1.1\r\n${upgrade}\r\n`, 404],
      ["GET /ws HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 403],
    ] as const) {
      const answer = await raw(s, bytes);
      expect(answer.status, bytes.slice(0, 60)).toBe(status);
      expectSecure(answer.headers, bytes.slice(0, 60));
    }
  });

  it("E2: the page is never served as a bare file, however its name is written", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    for (const path of [
      "/index.html",
      "/index.html?gate=x",
      "/index.html/",
      "/INDEX.HTML",
      "/%69ndex.html",
      "/index%2ehtml",
      "//index.html",
      "/./index.html",
      "/live/../index.html",
      "/index.html%20",
      "/index.html.",
    ]) {
      const answer = await s.http(path);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).not.toContain("<");
    }
  });
});
