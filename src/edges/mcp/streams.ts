// Responses of events that outlive their connection: what is cut off goes on where it stopped, once its client asks by
// the id of the last event that it saw (Last-Event-ID). In this process's memory and for a short while; the gate itself
// is found again in any case.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../../clock.ts";

/** How long a call that was cut off waits for its client, ms. */
const grace = 15_000;
/** How many may be cut off at once; the first of them are let go. */
const most = 100;
/**
 * When clients come back, ms. Most try twice, so a server may be away for twice as long. It is said with every event
 * that has an id: who is never sent the first, empty one (older protocols) would come back when it likes, and too soon.
 */
const retry = 5000;

export interface Stream {
  say(message: object): void;
  /** Keeps the connection busy. */
  breathe(): void;
  /** Waits while it is cut off; whether there is a connection, false once its client has not come back. */
  connected(): Promise<boolean>;
  /** Whether a message would go out to a connection now. */
  isConnected(): boolean;
  /** Says the last; whether a connection has taken it. Without a message it only ends. */
  end(message?: object): Promise<boolean>;
}

interface Entry {
  id: string;
  /** Whose it is. */
  credential: string;
  request: RequestId;
  /** Where it goes to just now; null while it is cut off. */
  to: ServerResponse | null;
  said: number;
  last: object | null;
  taken(whether: boolean): void;
  /** Those who wait for a connection. */
  waiting: Array<(whether: boolean) => void>;
  /** Nobody has come back. */
  gone(): void;
  keep(): void;
}

export interface Streams {
  /** @param gone its client has not come back */
  begin(req: IncomingMessage, res: ServerResponse, credential: string, request: RequestId, gone: () => void): Stream;
  /** Goes on; false where that stream is not known here, with the request that it answered where the id tells. */
  resume(req: IncomingMessage, res: ServerResponse, credential: string): true | { lost: RequestId | null };
}

/** @param ending aborted when this process ends: nobody can come back to it */
export function openStreams(clock: Clock, ending?: AbortSignal): Streams {
  const known = new Map<string, Entry>();
  const cut = new Set<Entry>();
  ending?.addEventListener("abort", () => {
    for (const entry of cut) letGo(entry);
  });

  function letGo(entry: Entry): void {
    entry.keep();
    known.delete(entry.id);
    cut.delete(entry);
    entry.taken(false);
    tell(entry, false);
    entry.gone();
  }

  function tell(entry: Entry, whether: boolean): void {
    for (const then of entry.waiting.splice(0)) then(whether);
  }

  function attach(entry: Entry, res: ServerResponse): void {
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
    res.flushHeaders();
    entry.keep();
    cut.delete(entry);
    entry.to?.end();
    entry.to = res;
    res.on("close", () => {
      if (entry.to !== res || !known.has(entry.id)) return;
      entry.to = null;
      if (ending?.aborted) return letGo(entry);
      entry.keep = clock.after(grace, () => letGo(entry));
      cut.add(entry);
      for (const first of cut) if (cut.size > most) letGo(first);
    });
    if (entry.last) give(entry, res, entry.last);
    tell(entry, true);
  }

  const write = (entry: Entry, message: object): string =>
    `id: ${idOf(entry)}\nretry: ${retry}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;

  function give(entry: Entry, res: ServerResponse, message: object): void {
    const { socket } = res;
    res.on("finish", () => {
      if (entry.to !== res || socket?.errored) return;
      known.delete(entry.id);
      entry.taken(true);
    });
    res.end(write(entry, message));
  }

  return {
    begin(req, res, credential, request, gone) {
      const id = randomBytes(12).toString("base64url");
      const nothing = () => {};
      const entry: Entry = {
        id,
        credential,
        request,
        to: null,
        said: 0,
        last: null,
        taken: nothing,
        waiting: [],
        gone,
        keep: nothing,
      };
      const taken = new Promise<boolean>((resolve) => {
        entry.taken = resolve;
      });
      known.set(entry.id, entry);
      attach(entry, res);
      // Older clients take every event for a message.
      if (String(req.headers["mcp-protocol-version"] ?? "") >= "2025-11-25")
        res.write(`id: ${idOf(entry)}\nretry: ${retry}\ndata: \n\n`);
      return {
        say: (message) => void entry.to?.write(write(entry, message)),
        isConnected: () => isLive(entry.to),
        connected: async () => {
          while (known.has(entry.id)) {
            if (isLive(entry.to)) return true;
            if (!(await new Promise<boolean>((resolve) => entry.waiting.push(resolve)))) return false;
          }
          return false;
        },
        breathe: () => void entry.to?.write(": waiting\n\n"),
        end(message) {
          entry.gone = nothing;
          if (message) {
            entry.last = message;
            if (entry.to) give(entry, entry.to, message);
            return taken;
          }
          entry.keep();
          known.delete(entry.id);
          cut.delete(entry);
          entry.to?.end();
          return Promise.resolve(false);
        },
      };
    },
    resume(req, res, credential) {
      const [id = "", , request = ""] = String(req.headers["last-event-id"]).split(".");
      const entry = known.get(id);
      if (entry?.credential !== credential) return { lost: requestIn(request) };
      attach(entry, res);
      return true;
    },
  };
}

const isLive = (res: ServerResponse | null): boolean =>
  res !== null && !res.destroyed && res.socket?.destroyed === false && !res.socket.errored;

/** Names the request too, so that whoever does not know the stream can still answer it. */
const idOf = (entry: Entry): string =>
  `${entry.id}.${++entry.said}.${Buffer.from(JSON.stringify(entry.request)).toString("base64url")}`;

function requestIn(text: string): RequestId | null {
  try {
    const id: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : null;
  } catch {
    return null;
  }
}
