// Raw load: MCP calls over kept connections, so many at once, each answer looked at.
import { Agent, request } from "node:http";

export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface Said {
  session: string | undefined;
  text: string;
  /** When the last byte was here, ms of `performance.now()`. */
  at: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4096 });

export function post({ url, headers }: Target, message: object): Promise<Said> {
  const body = JSON.stringify(message);
  return new Promise((resolve, reject) => {
    const req = request(url, {
      agent,
      method: "POST",
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        Accept: "application/json, text/event-stream",
      },
    });
    req.on("error", reject);
    req.on("response", (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("end", () => {
        if (res.statusCode !== 200 || text.includes('"isError":true') || /^.{0,40}"error":/.test(text))
          return reject(new Error(`${res.statusCode} ${text.slice(0, 300)}`));
        const session = res.headers["mcp-session-id"];
        resolve({ session: typeof session === "string" ? session : undefined, text, at: performance.now() });
      });
    });
    req.end(body);
  });
}

export const hangUp = (): void => agent.destroy();

let ids = 0;
export const rpc = (method: string, params: object = {}): object => ({ jsonrpc: "2.0", id: ++ids, method, params });
export const tool = (name: string, args: object = {}): object => rpc("tools/call", { name, arguments: args });

/** A target with a session of its own. */
export async function connect(url: string, token?: string): Promise<Target> {
  const headers: Record<string, string> = { "MCP-Protocol-Version": "2025-11-25" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const clientInfo = { name: "bench", version: "1" };
  const hello = rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const { session } = await post({ url, headers }, hello);
  return { url, headers: { ...headers, ...(session && { "Mcp-Session-Id": session }) } };
}

/** Calls with `atOnce` under way for `ms`: how many, and how many a second. */
export async function load(
  target: Target,
  message: () => object,
  atOnce: number,
  ms: number,
): Promise<{ calls: number; rate: number }> {
  const begin = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - begin < ms) {
        await post(target, message());
        done++;
      }
    }),
  );
  return { calls: done, rate: (done / (performance.now() - begin)) * 1000 };
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};
export const median = (values: readonly number[]): number => quantile(values, 0.5);
