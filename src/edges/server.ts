// The server: one port for MCP, the actions, the dashboard and its socket, behind one guard.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type NextFunction, type Request, type Response } from "express";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import type { Config } from "../config.ts";
import { version } from "../package.ts";
import { Refusal } from "../refusal.ts";
import type { Table } from "../table.ts";
import { refusalOf, refuse } from "./answer.ts";
import { api } from "./api.ts";
import { badRequest, jsonBody } from "./body.ts";
import { type CookieFor, cookieFor } from "./cookie.ts";
import { openGuard } from "./guard.ts";
import { bareAnswer, secureHeaders } from "./headers.ts";
import { claudeCodeHook } from "./hooks.ts";
import { openFeeds } from "./live/feed.ts";
import { serveSocket } from "./live/socket.ts";
import { mcpHandler } from "./mcp/http.ts";
import { pages } from "./pages.ts";
import { session } from "./session.ts";
import { boundUnread, unreadFor } from "./unread.ts";

export interface Running {
  /** As `http://127.0.0.1:4747`, with the base path, without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Reachable beyond loopback: this machine's own addresses are allowed as Host. */
  lan?: boolean;
  /** How long an answer may lie unread, ms. */
  unread?: number;
}

export async function startServer(
  whole: Table,
  config: Config,
  log: Logger,
  { lan = false, unread = unreadFor }: ServerOptions = {},
): Promise<Running> {
  const { table, allAnswered } = countingCalls(whole);
  const guard = openGuard(config, lan);
  const server = createServer();
  // Answers may be held for minutes; requests themselves may not dawdle.
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 75_000;
  await listen(server, config);
  const { port } = server.address() as AddressInfo;

  const cookieAt = cookieFor(config, guard);
  const ending = new AbortController();
  const said = { name: config.name, version, toolsets: config.toolsets };
  const mcp = mcpHandler({ table, log, ...said, ending: ending.signal });
  const app = application(table, config, log, cookieAt);
  const feeds = openFeeds(table, log);
  const live = new Set<Promise<void>>();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1 << 20 });

  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    secureHeaders(res);
    boundUnread(res, unread);
    const path = inside(req, config.basePath);
    if (path === null) return plain(res, 404, "NOT_FOUND", "Nothing is here.");
    const verdict = guard(req);
    if (!verdict.ok) {
      if (path.split("?")[0] === "/status" && verdict.why === "host")
        return plain(res, 404, "NOT_FOUND", "Nothing is here.");
      const what =
        verdict.why === "host"
          ? "This server does not answer to that Host; set PARLEY_ALLOWED_HOSTS or PARLEY_PUBLIC_URL."
          : "This page may not call the server; open the dashboard at the server's own address.";
      return plain(res, 403, "FORBIDDEN", what);
    }
    if (path === "") {
      res.writeHead(308, { location: `${config.basePath}/${(req.url ?? "").slice(config.basePath.length)}` });
      return res.end();
    }
    req.url = path;
    if (/^\/mcp\/?(?:\?|$)/.test(path))
      return void mcp(req, res).catch((error) => {
        log.error({ err: error }, "an MCP request failed");
        plain(res, 500, "INTERNAL", "Something broke inside; try again.");
      });
    app(req, res);
  });

  server.on("checkExpectation", (_req: IncomingMessage, res: ServerResponse) => {
    secureHeaders(res);
    plain(res, 417, "BAD_INPUT", "Send the request without Expect.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    socket.end(bareAnswer(refused[error.code ?? ""] ?? "400 Bad Request"), () => socket.destroy());
  });
  sockets.on("wsClientError", (_error: Error, socket: Duplex) => refuseUpgrade(socket, "400 Bad Request"));

  server.on("upgrade", (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const path = inside(req, config.basePath);
    const verdict = guard(req);
    if (!verdict.ok) return refuseUpgrade(socket, "403 Forbidden");
    if (path?.split("?")[0] !== "/ws") return refuseUpgrade(socket, "404 Not Found");
    sockets.handleUpgrade(req, socket, head, (ws) => {
      const served = serveSocket(ws, req, { table, feeds, config, log, cookieAt })
        .catch((error) => {
          log.error({ err: error }, "a dashboard's socket failed");
          ws.terminate();
        })
        .finally(() => live.delete(served));
      live.add(served);
    });
  });

  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return {
    url: `http://${host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host}:${port}${config.basePath}`,
    async close() {
      ending.abort();
      for (const ws of sockets.clients) ws.close(1012, "the server is restarting");
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const ws of sockets.clients) ws.terminate();
      server.closeAllConnections();
      await closed;
      await Promise.all(live);
      await allAnswered();
      await feeds.close();
    },
  };
}

/** The same table; `allAnswered` resolves once every call that came through it has ended. */
function countingCalls(table: Table): { table: Table; allAnswered: () => Promise<void> } {
  const calls = new Set<Promise<unknown>>();
  return {
    table: {
      ...table,
      perform(...asked) {
        const call = table.perform(...asked);
        calls.add(call);
        const over = () => void calls.delete(call);
        call.then(over, over);
        return call;
      },
    },
    // Whoever was waiting has been cut off and still notes that nobody waits any more.
    allAnswered: async () => void (await Promise.allSettled(calls)),
  };
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${config.port} is taken, perhaps by another Parley; set PARLEY_PORT to another.`)
          : error,
      ),
    );
    server.listen(config.port, config.host, () => resolve());
  });
}

/** The path below the base path, with its query; `""` for the base path itself without a slash; null outside. */
function inside(req: IncomingMessage, basePath: string): string | null {
  const url = req.url ?? "/";
  if (basePath === "") return url;
  if (url === basePath || url.startsWith(`${basePath}?`)) return "";
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : null;
}

function plain(res: ServerResponse, status: number, code: string, message: string): void {
  if (res.headersSent) return void res.end();
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify({ error: { code, message } }));
}

/** What Node found wrong before there was a request, by its code. */
const refused: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(bareAnswer(status), () => socket.destroy());
}

function application(table: Table, config: Config, log: Logger, cookieAt: CookieFor): express.Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use("/api", api(table, log, cookieAt));
  app.use("/hooks/claude-code", claudeCodeHook(table, log));
  app.use("/session", jsonBody("16kb"), session(table, log, cookieAt));
  app.use(pages(table, config));
  app.use((_req, res) => refuse(res, new Refusal("NOT_FOUND", "Nothing is here; the dashboard is at the root.")));
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    refuse(res, badRequest(error) ?? refusalOf(error, log));
  });
  return app;
}
