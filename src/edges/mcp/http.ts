// MCP over HTTP: one message by POST each, identity in the token alone. A session is only a name, so that any
// instance answers any session, after a restart too. A call holds its response silently, or with signs of life
// where it asked to wait long; GET goes on with such a response that was cut off.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  ErrorCode,
  type JSONRPCRequest,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { runsOut } from "../../floor/inbox.ts";
import { sha256 } from "../../ids.ts";
import { type Caller, callerOfToken } from "../../members/caller.ts";
import { usualHold } from "../../perform.ts";
import { refusalOf } from "../answer.ts";
import { bearerOf, unauthenticated } from "../credential.ts";
import { bodyOf } from "./body.ts";
import { openCalls } from "./calls.ts";
import { longHold, progressOf, signsOfLife } from "./hold.ts";
import { messageIn } from "./read.ts";
import { failure, type McpOptions, openServing } from "./serve.ts";
import { openStreams, type Stream } from "./streams.ts";
import { type Toolsets, toolsetsNamed } from "./tools.ts";

const sessionHeader = "Mcp-Session-Id";

export function mcpHandler(options: McpOptions): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { table, log } = options;
  const respond = openServing(options);
  const calls = openCalls();
  const streams = openStreams(table.clock, options.ending);
  const usual = toolsetsNamed(options.toolsets);

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const token = bearerOf(req);
    const caller =
      token === undefined ? null : await table.same(`token ${sha256(token)}`, (db) => callerOfToken(db, token));
    if (!caller) {
      res.setHeader("WWW-Authenticate", "Bearer");
      return json(res, 401, { error: unauthenticated() });
    }
    const refuse = (status: number, sentence: string, data?: Record<string, unknown>) =>
      json(res, status, failure(null, ErrorCode.InvalidRequest, sentence, data));
    if (req.method === "GET" && req.headers["last-event-id"]) {
      const resumed = streams.resume(req, res, caller.actor.credential);
      if (resumed === true) return;
      if (resumed.lost === null) return refuse(400, "This stream is not known here; call again.");
      return lost(res, resumed.lost);
    }
    if (req.method !== "POST") {
      res.setHeader("Allow", "POST");
      return refuse(405, "Send each message by POST.");
    }
    if (!/^application\/json *(?:;|$)/i.test(req.headers["content-type"] ?? ""))
      return refuse(415, "Content-Type must be application/json.");
    const only = toolsetsOf(req, usual);
    if (typeof only === "string") return refuse(400, only);
    const body = await bodyOf(req).catch(() => undefined);
    if (body === undefined) return;
    if (body === null) return refuse(413, "A message may have at most 1 MiB.");
    const message = messageIn(body);
    if ("bad" in message) return json(res, 400, message.bad);
    const version = req.headers["mcp-protocol-version"];
    const begins = "request" in message && message.request.method === "initialize";
    if (!begins && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
      return refuse(400, `Unsupported protocol version; supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`, {
        supported: SUPPORTED_PROTOCOL_VERSIONS,
        requested: String(version).slice(0, 40),
      });
    const session = String(req.headers["mcp-session-id"] ?? "");
    const line = `${caller.actor.credential} ${session}`;
    if ("request" in message) return answer(req, res, message.request, caller, only, session, line);
    if ("cancels" in message) calls.cancel(line, message.cancels);
    res.writeHead(202).end();
  }

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    request: JSONRPCRequest,
    caller: Caller,
    only: Toolsets,
    session: string,
    line: string,
  ): Promise<void> {
    const flight = calls.begin(line, request.id);
    const long = takesEvents(req) ? longHold(table.actions, request, clientOf(req, session)) : null;
    const stream =
      long === null ? null : streams.begin(req, res, caller.actor.credential, request.id, () => flight.abort());
    if (!stream)
      res.on("close", () => {
        if (!res.writableFinished) flight.abort();
      });
    const end = stream && lives(stream, request, caller);
    try {
      const { message, written, lost } = await respond(request, {
        who: async () => caller,
        only,
        signal: flight.signal,
        longest: long ?? usualHold,
        session,
        ...(stream && { connected: stream.connected }),
      });
      const noted = (how: () => Promise<void>) =>
        how().catch((error) => log.error({ err: error }, "could not note a hand-over")) as Promise<void>;
      const handed = () => noted(written);
      // Who cancelled or has gone is not answered; the response must end all the same. Nor is a stream that was cut off
      // just now: its client is told to call again, and finds what this call would have told.
      if (flight.signal.aborted || (stream ? !stream.isConnected() : res.destroyed)) {
        await (stream ? stream.end() : res.destroyed || res.writeHead(202).end());
        return noted(lost);
      }
      if (stream) {
        end?.();
        if (await stream.end(message)) await handed();
        return;
      }
      res.on("finish", () => void (req.socket.errored || handed()));
      if (request.method === "initialize" && "result" in message) res.setHeader(sessionHeader, nameFor(request));
      json(res, 200, message);
    } finally {
      end?.();
      flight.over();
    }
  }

  /** Signs of life until it is ended. */
  function lives(stream: Stream, request: JSONRPCRequest, { actor }: Caller): () => void {
    const progress = progressOf(request);
    return signsOfLife(
      table.clock,
      (step, message) => progress && stream.say(progress(step, message)),
      stream.breathe,
      () => table.same(`runs out ${actor.member}`, (db) => runsOut(db, actor.member, table.clock.now())),
    );
  }

  return async (req, res) => {
    try {
      await handle(req, res);
    } catch (error) {
      const { message } = refusalOf(error, log);
      if (res.headersSent) res.destroy();
      else json(res, 500, failure(null, ErrorCode.InternalError, message));
    }
  };
}

function json(res: ServerResponse, status: number, said: object): void {
  const body = JSON.stringify(said);
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
}

const takesEvents = ({ headers }: IncomingMessage): boolean => /event-stream|\*\/\*/.test(headers.accept ?? "*/*");

/** A call of which only its id is known any more, so that its client does not wait for it without end. */
function lost(res: ServerResponse, id: RequestId): void {
  const message = "This call was cut off. Call again: nothing that was asked or answered is lost.";
  const result = {
    isError: true,
    content: [{ type: "text", text: `CONFLICT: ${message}` }],
    structuredContent: { error: { code: "CONFLICT", message } },
  };
  res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform" });
  res.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
}

/** The toolsets of `?toolsets=`, within those that the server lists; or what is wrong with them. */
function toolsetsOf(req: IncomingMessage, usual: Toolsets): Toolsets | string {
  const at = req.url?.indexOf("?") ?? -1;
  const asked = at < 0 ? null : new URLSearchParams(req.url?.slice(at)).get("toolsets");
  if (asked === null) return usual;
  try {
    const named = toolsetsNamed(
      asked
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    );
    return new Set([...named].filter((toolset) => usual.has(toolset)));
  } catch (error) {
    return `?toolsets: ${(error as Error).message}.`;
  }
}

/** A session's name begins with its client's, so that every instance knows how long that client holds. */
function nameFor({ params }: JSONRPCRequest): string {
  const { name } = (params?.clientInfo ?? {}) as { name?: unknown };
  const slug = String(name ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 32);
  return `${slug || "client"}.${randomBytes(12).toString("base64url")}`;
}

const clientOf = (req: IncomingMessage, session: string): string =>
  session.includes(".") ? session.slice(0, session.indexOf(".")) : (req.headers["user-agent"] ?? "").toLowerCase();
