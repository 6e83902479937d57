// npm run conformance: the official MCP suite against a real server. The suite needs Node 22 and cannot send a
// token: npm fetches both, on demand, into its own cache, and a loopback proxy adds the token.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../src/package.ts";

const suite = ["node@22.23.3", "@modelcontextprotocol/conformance@0.1.16"];
/** Those that need no fixture of theirs: no tool, resource or prompt that only the suite's own server has. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

const folder = mkdtempSync(join(tmpdir(), "parley-conformance-"));
const env = { ...process.env, PARLEY_STORE: join(folder, "parley.db"), PARLEY_PORT: "0", PARLEY_LOG: "warn" };
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Runs to its end; answers its exit code and what it wrote. */
async function run(command: string, args: string[]): Promise<{ code: number; out: string }> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? 1, out };
}

const parley = ["--import", import.meta.resolve("tsx"), join(root, "src/main.ts")];

async function main(): Promise<boolean> {
  const added = await run(process.execPath, [...parley, "member", "add", "tester", "--json"]);
  const { token } = JSON.parse(added.out.trim().split("\n").at(-1) ?? "") as { token: string };
  const server = spawn(process.execPath, [...parley, "serve"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const target = new URL(await addressOf(server.stdout));
    // Host and Origin pass through as they are: the server's own checks are what is tested.
    const proxy = createServer((req, res) => {
      const headers = { ...req.headers, authorization: `Bearer ${token}` };
      const onward = request(target, { method: req.method ?? "GET", headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      onward.on("error", () => res.destroy());
      res.on("close", () => onward.destroy());
      req.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    let passed = 0;
    for (const scenario of scenarios) {
      const packages = suite.map((name) => `--package=${name}`);
      const call = ["exec", "--yes", ...packages, "--", "conformance", "server", "--url", url, "--scenario", scenario];
      const { code, out } = await run(process.platform === "win32" ? "npm.cmd" : "npm", call);
      say(`${code === 0 ? "passed" : "FAILED"}  ${scenario}`);
      if (code === 0) passed++;
      else say(out.replaceAll(/^/gm, "    "));
    }
    proxy.closeAllConnections();
    proxy.close();
    say(`${passed} of ${scenarios.length} scenarios passed.`);
    return passed === scenarios.length;
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** The MCP address that the server prints. */
function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    stdout.on("data", (chunk) => {
      text += chunk;
      const url = /MCP +(http\S+)\n/.exec(text)?.[1];
      if (url) resolve(url);
    });
    stdout.on("end", () => reject(new Error(`The server did not start. It said:\n${text}`)));
  });
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
