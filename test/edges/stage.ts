// A whole server on a free port over a fresh store, and requests to it as they are.
import { request } from "node:http";
import pino from "pino";
import { expect, onTestFinished } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { type ServerOptions, startServer } from "../../src/edges/server.ts";
import type { Fresh } from "../setup/stores.ts";
import { type Stage, stage } from "../stage.ts";

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, a string as it is. */
  body?: unknown;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as JSON; the test fails where it is none. */
  json(): Record<string, unknown>;
}

export interface Device {
  cookie: string;
  secret: string;
  /** Both as headers, for changes. */
  headers: Record<string, string>;
}

export interface Served extends Stage {
  /** Without a slash at the end. */
  url: string;
  port: number;
  /** Errors that the server logged. */
  logged: string[];
  http(path: string, asked?: Asked): Promise<Answered>;
  /** `POST /api/NAME` with a bearer token. */
  api(token: string, action: string, args?: unknown): Promise<Answered>;
  /** Signs a person in by a link made on the command line. */
  signIn(person: string, userAgent?: string): Promise<Device>;
  stop(): Promise<void>;
}

export async function serve(
  make: () => Promise<Fresh>,
  own: Partial<Config> = {},
  options: ServerOptions = {},
): Promise<Served> {
  const p = await stage(make);
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  const config = readConfig({ PARLEY_PORT: "0", PARLEY_NAME: "Test table" }, own);
  const server = await startServer(p.table, config, log, options);
  const { port } = new URL(server.url);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.close();
    return stopped;
  };
  onTestFinished(async () => {
    await stop();
    expect(logged).toEqual([]);
  });

  const served: Served = {
    ...p,
    url: server.url,
    port: Number(port),
    logged,
    stop,
    http: (path, asked = {}) => send(Number(port), `${config.basePath}${path}`, asked),
    api: (token, action, args = {}) =>
      served.http(`/api/${action}`, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: args }),
    async signIn(person, userAgent = "") {
      const people = await p.table.store.read((db) =>
        db.selectFrom("members").select("name").where("kind", "=", "person").execute(),
      );
      const { code } = await p.operator.does("make_link", people.length > 0 ? { person } : {});
      const answer = await served.http("/session", {
        method: "POST",
        headers: { "user-agent": userAgent },
        body: { code, ...(people.length === 0 && { name: person }) },
      });
      expect(answer.status).toBe(200);
      return deviceOf(answer);
    },
  };
  return served;
}

export function deviceOf(answer: Answered): Device {
  const cookie = (answer.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  const secret = answer.json().secret as string;
  return { cookie, secret, headers: { cookie, "x-parley-secret": secret } };
}

/** One request on a connection of its own. */
function send(port: number, path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answered> {
  const payload = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        agent: false,
        headers: {
          ...(payload !== undefined && {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(payload),
          }),
          ...headers,
        },
      },
      (res) => {
        const parts: Buffer[] = [];
        res.on("data", (part: Buffer) => parts.push(part));
        res.on("error", reject);
        res.on("end", () => {
          const text = Buffer.concat(parts).toString();
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            json() {
              expect(res.headers["content-type"], text.slice(0, 200)).toMatch(/^application\/json/);
              return JSON.parse(text) as Record<string, unknown>;
            },
          });
        });
      },
    );
    req.on("error", reject);
    req.end(payload);
  });
}

/** What an answer says was wrong. */
export const errorOf = (answer: Answered): { code: string; message: string } & Record<string, unknown> =>
  answer.json().error as { code: string; message: string };
