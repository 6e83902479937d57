import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { inMemory } from "../setup/stores.ts";
import { errorOf, type Served, serve } from "./stage.ts";

const { make } = inMemory;

/** Every kind of route: method, path. */
const routes: Array<[string, string]> = [
  ["GET", "/"],
  ["GET", "/gate/x"],
  ["GET", "/main.js"],
  ["GET", "/healthz"],
  ["GET", "/readyz"],
  ["GET", "/status"],
  ["GET", "/session"],
  ["POST", "/session"],
  ["POST", "/api/whoami"],
  ["POST", "/mcp"],
  ["GET", "/mcp"],
  ["GET", "/.well-known/parley-key.json"],
  ["GET", "/nothing/here"],
];

/** The status line that an upgrade is answered with, or "101". */
function upgrade(s: Served, headers: Record<string, string>, path = "/ws"): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${s.port}${path}`, { headers });
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_req, res) => {
      resolve(res.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("error", reject);
  });
}

describe("Host", () => {
  it("G4: another Host is refused on every route, and on /status as if nothing were there", async () => {
    const s = await serve(make);
    const foreign = [
      "evil.example",
      `evil.example:${s.port}`,
      `localhost.evil.example:${s.port}`,
      `127.0.0.1.evil.example`,
      `evil.example@127.0.0.1.nip.io`,
      `127.0.0.1:${s.port}@evil.example`,
      "10.0.0.1",
      "0.0.0.0",
      "[::2]",
    ];
    for (const host of foreign)
      for (const [method, path] of routes) {
        const answer = await s.http(path, { method, headers: { host }, ...(method === "POST" && { body: {} }) });
        expect(answer.status, `${method} ${path} ${host}`).toBe(path === "/status" ? 404 : 403);
        expect(answer.text).not.toContain("<html");
        expect(errorOf(answer).message.length).toBeGreaterThan(5);
      }
    expect((await s.http("/status?x=1", { headers: { host: "evil.example" } })).status).toBe(404);
    for (const host of foreign) expect(await upgrade(s, { host }), host).toBe(403);
  });

  it("G4: the names of loopback are answered, in any case and with any port", async () => {
    const s = await serve(make);
    for (const host of ["localhost", `localhost:${s.port}`, "LocalHost:1", `127.0.0.1:${s.port}`, `[::1]:${s.port}`])
      expect((await s.http("/status", { headers: { host } })).status, host).toBe(200);
    expect(await upgrade(s, { host: "localhost:1" })).toBe(101);
  });

  it("G4: hosts that were allowed, and the public one, are answered too", async () => {
    const s = await serve(make, {
      allowedHosts: ["table.example", "other.example:8443", "[fd00::1]"],
      publicUrl: "https://parley.example/team",
    });
    for (const host of ["table.example", "TABLE.example:1", "other.example", "parley.example", "[fd00::1]:80"])
      expect((await s.http("/status", { headers: { host } })).status, host).toBe(200);
    for (const host of ["x.table.example", "table.example.evil", "fd00::1"])
      expect((await s.http("/status", { headers: { host } })).status, host).toBe(404);
  });

  it("G4: with --lan this machine's own addresses are answered, other names are not", async () => {
    const s = await serve(make, {}, { lan: true });
    const own = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family }) => family === "IPv4");
    for (const { address } of own)
      expect((await s.http("/status", { headers: { host: `${address}:${s.port}` } })).status, address).toBe(200);
    expect((await s.http("/status", { headers: { host: "evil.example" } })).status).toBe(404);
  });

  it("G4: a request without Host is refused", async () => {
    const s = await serve(make);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(s.port, "127.0.0.1", () => socket.write("GET /readyz HTTP/1.0\r\n\r\n"));
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("Origin", () => {
  it("G4: a foreign page is refused on every route and on the upgrade: null, another port of this host, another scheme", async () => {
    const s = await serve(make);
    const foreign = [
      "null",
      "http://evil.example",
      `http://127.0.0.1:${s.port + 1}`,
      "http://127.0.0.1",
      "http://localhost",
      `http://localhost:${s.port}`,
      `https://127.0.0.1:${s.port}`,
      `http://127.0.0.1:${s.port}.evil.example`,
      `http://127.0.0.1:${s.port}/`,
      "file://",
      "chrome-extension://abcdef",
      "",
    ];
    for (const origin of foreign) {
      for (const [method, path] of routes) {
        const answer = await s.http(path, { method, headers: { origin }, ...(method === "POST" && { body: {} }) });
        expect(answer.status, `${method} ${path} ${origin}`).toBe(403);
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      }
      expect(await upgrade(s, { origin }), origin).toBe(403);
    }
  });

  it("G4: the server's own page is let in, and who sends no Origin", async () => {
    const s = await serve(make);
    for (const host of [`127.0.0.1:${s.port}`, `localhost:${s.port}`]) {
      const headers = { host, origin: `http://${host}` };
      expect((await s.http("/status", { headers })).status).toBe(200);
      expect(await upgrade(s, headers)).toBe(101);
    }
    expect(await upgrade(s, {})).toBe(101);
  });

  it("G4: the page at the public address is let in", async () => {
    const s = await serve(make, { publicUrl: "https://parley.example" });
    const headers = { host: "parley.example", origin: "https://parley.example" };
    expect((await s.http("/status", { headers })).status).toBe(200);
    for (const origin of ["http://parley.example:8080", "https://parley.example:8443", "https://x.parley.example"])
      expect((await s.http("/status", { headers: { ...headers, origin } })).status, origin).toBe(403);
  });
});

describe("a proxy", () => {
  const forwarded = { "x-forwarded-host": "parley.example", "x-forwarded-proto": "https" };

  it("G4: is believed only when it is named", async () => {
    const s = await serve(make, { allowedHosts: ["parley.example"] });
    const headers = { ...forwarded, host: "evil.example" };
    expect((await s.http("/readyz", { headers })).status).toBe(403);
    expect((await s.http("/readyz", { headers: { ...forwarded, origin: "https://parley.example" } })).status).toBe(403);
  });

  it("G4: that is named tells the host and scheme of the caller, and its Origin must fit those", async () => {
    const s = await serve(make, { allowedHosts: ["parley.example"], trustProxy: ["loopback"] });
    const get = (headers: Record<string, string>) => s.http("/readyz", { headers }).then(({ status }) => status);
    expect(await get({ ...forwarded, host: "inner:80" })).toBe(200);
    expect(await get({ ...forwarded, origin: "https://parley.example" })).toBe(200);
    expect(await get({ ...forwarded, origin: "http://parley.example" })).toBe(403);
    expect(await get({ ...forwarded, "x-forwarded-host": "evil.example" })).toBe(403);
  });

  it("G4: that is not the one which was named is not believed", async () => {
    const s = await serve(make, { allowedHosts: ["parley.example"], trustProxy: ["10.0.0.0/8"] });
    expect((await s.http("/readyz", { headers: { ...forwarded, host: "evil.example" } })).status).toBe(403);
  });
});
