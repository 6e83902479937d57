import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, version } from "../../src/package.ts";
import { inMemory } from "../setup/stores.ts";
import { ask } from "../stage.ts";
import { errorOf, type Served, serve } from "./stage.ts";

const { make } = inMemory;
const pages = ["/", "/?room=main", "/gate/0198"];

/** What a page brings inline, by tag. */
const inline = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\bsrc=)([^>]*)>([\\s\\S]*?)</${tag}>`, "g"))].map(([, head, text]) => ({
    head: head ?? "",
    text: text ?? "",
  }));

describe("/status", () => {
  it("M3: tells aggregates only, in exactly this shape", async () => {
    const s = await serve(make);
    const lea = await s.guest("lea", { role: "lead" });
    const ada = await s.guest("ada");
    const zoe = await s.guest("zoe", { role: "approver" });
    await s.guest("silent");
    const { task } = (await lea.does("create_task", { title: "Secret plan" })) as { task: { id: number } };
    await lea.does("create_task", { title: "Another" });
    await ada.does("claim_task", { task_id: task.id });
    await ask(ada, "request_approval", { title: "Hush" });
    await ask(ada, "wait_for_feedback", { question: "Which?", timeout_seconds: 5 });
    const answered = await ask(ada, "report_blocker", { title: "T" });
    await zoe.does("decide_gate", { gate_id: answered.id, decision: "resolve", text: "done" });
    s.clock.jump(5000);
    const answer = await s.http("/status");
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ok: true,
      name: "Test table",
      version,
      tasks_by_status: { open: 1, claimed: 1, submitted: 0, done: 0, cancelled: 0 },
      gates_pending: 1,
      active_agents: 2,
      server_time: new Date(s.clock.now()).toISOString(),
    });
    for (const word of ["ada", "lea", "zoe", "Secret", "Hush", "main"]) expect(answer.text).not.toContain(word);
    s.clock.jump(15 * 60_000);
    expect((await s.http("/status")).json()).toMatchObject({ active_agents: 0 });
  });
});

describe("/mcp", () => {
  it("is the same with a slash at its end, and with a query", async () => {
    const s = await serve(make);
    for (const path of ["/mcp", "/mcp/", "/mcp?toolsets=gates", "/mcp/?toolsets=gates"]) {
      const answer = await s.http(path, { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "ping" } });
      expect([path, answer.status, errorOf(answer).code]).toEqual([path, 401, "UNAUTHENTICATED"]);
    }
    expect((await s.http("/mcpx", { method: "POST", body: {} })).status).toBe(404);
    await s.stop();
  });
});

describe("health", () => {
  it("is told without sign-in, and readiness looks at the store", async () => {
    const s = await serve(make);
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await s.http(path);
      expect([answer.status, answer.json()]).toEqual([200, { ok: true }]);
    }
    await s.table.store.close();
    expect((await s.http("/healthz")).status).toBe(200);
    const answer = await s.http("/readyz");
    expect([answer.status, answer.json()]).toEqual([503, { ok: false, why: "The store is closed." }]);
  });
});

describe("a page", () => {
  it("D6: runs only what it brings: every inline script stands in the policy by its hash", async () => {
    const s = await serve(make);
    for (const path of pages) {
      const answer = await s.http(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^text\/html; charset=utf-8/);
      const policy = String(answer.headers["content-security-policy"]);
      const scripts = inline(answer.text, "script");
      expect(scripts.length, path).toBeGreaterThan(0);
      for (const { head, text } of scripts) {
        expect(head).toContain('type="importmap"');
        expect(policy).toContain(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
        expect(() => JSON.parse(text)).not.toThrow();
      }
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http:|https:/);
      expect(inline(answer.text, "style")).toEqual([]);
      expect(answer.text).not.toMatch(/\son[a-z]+=|\sstyle=|javascript:/i);
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(answer.headers).not.toHaveProperty("x-powered-by");
      expect(answer.headers).not.toHaveProperty("set-cookie");
    }
  });

  for (const basePath of ["", "/team"])
    it(`D9: finds all that it names below ${basePath || "the root"}`, async () => {
      const s = await serve(make, { basePath });
      for (const path of pages) {
        const html = (await s.http(path)).text;
        const here = new URL(`http://x${basePath}${path}`);
        const maps = inline(html, "script").map(({ text }) => JSON.parse(text) as { imports: Record<string, string> });
        const named = [
          ...[...html.matchAll(/\s(?:src|href)="([^"#]+)"/g)].map(([, link]) => link as string),
          ...maps.flatMap(({ imports }) => Object.values(imports)),
        ];
        expect(named.length).toBeGreaterThan(3);
        for (const link of named) {
          expect(link, "is relative").not.toMatch(/^(?:\/|[a-z]+:)/);
          const { pathname } = new URL(link, here);
          expect(pathname.startsWith(`${basePath}/`)).toBe(true);
          const answer = await s.http(pathname.slice(basePath.length));
          expect(answer.status, `${path} names ${link}`).toBe(200);
          if (/\.m?js$/.test(pathname)) expect(answer.headers["content-type"]).toMatch(/javascript/);
        }
      }
    });

  it("D9: brings its modules and those of its dependencies, as JavaScript", async () => {
    const s = await serve(make);
    const vendor = JSON.parse(readFileSync(join(root, "public", "vendor.json"), "utf8")) as Record<string, string>;
    expect(Object.keys(vendor).length).toBeGreaterThan(2);
    for (const address of [...Object.keys(vendor), "main.js"]) {
      const answer = await s.http(`/${address}`);
      expect(answer.status, address).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^text\/javascript/);
      expect(answer.text.length).toBeGreaterThan(50);
    }
  });

  it("D9: serves nothing but what is public", async () => {
    const s = await serve(make);
    const hidden = [
      "/package.json",
      "/../package.json",
      "/..%2fpackage.json",
      "/%2e%2e/package.json",
      "/....//package.json",
      "/.git/config",
      "/node_modules/preact/package.json",
      "/src/main.ts",
      "/index.html/..%2f..%2fpackage.json",
      "/%00",
      "/gate",
      "/gate/a/b",
      "/favicon.ico",
      "/.hidden",
      "/live",
      "/live/",
    ];
    for (const path of hidden) {
      const answer = await s.http(path);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.status, path).toBeLessThan(500);
      expect(answer.text).not.toContain("parley-mcp");
      expect(errorOf(answer).message.length, path).toBeGreaterThan(5);
    }
    expect(existsSync(join(root, "package.json"))).toBe(true);
  });
});

describe("the base path", () => {
  const at = async (s: Served, path: string) => (await fetch(new URL(path, s.url), { redirect: "manual" })).status;

  it("D9: holds everything, and nothing stands beside it", async () => {
    const s = await serve(make, { basePath: "/team" });
    const ada = await s.guest("ada");
    expect(s.url).toBe(`http://127.0.0.1:${s.port}/team`);
    expect((await s.api(ada.token, "whoami")).status).toBe(200);
    expect((await s.http("/status")).status).toBe(200);
    for (const path of ["/", "/status", "/api/whoami", "/session", "/main.js", "/teams", "/teamster/status"])
      expect(await at(s, path), path).toBe(404);
    const moved = await fetch(new URL("/team", s.url), { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/team/"]);
    const asked = await fetch(new URL("/team?room=main", s.url), { redirect: "manual" });
    expect([asked.status, asked.headers.get("location")]).toEqual([308, "/team/?room=main"]);
  });
});
