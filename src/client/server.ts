// The Parley that commands speak to: one short POST at a time. What comes back is a result, a refusal in Parley's own
// words, or nothing that can be relied on.
import type { Beside } from "../action.ts";
import { version } from "../package.ts";
import { Refusal } from "../refusal.ts";

export type Json = Record<string, unknown>;

export interface Refused {
  status: number;
  code: string;
  message: string;
  /** Seconds after which to try again. */
  after: number | null;
  facts: Json;
}

type Said = { result: Json } | { refused: Refused } | { unreachable: string };

export interface Server {
  /** As `http://127.0.0.1:4747`, without a slash at the end. */
  readonly url: string;
  /** @param seconds how long the call itself may hold */
  call(action: string, args: Json, options?: { seconds?: number; signal?: AbortSignal }): Promise<Said>;
}

/** What a call may take beyond its hold, seconds. */
const slack = 20;

/** The address of `PARLEY_URL`, or of a server on this machine. */
export function urlOf(env: NodeJS.ProcessEnv): string {
  const text = env.PARLEY_URL || `http://127.0.0.1:${env.PARLEY_PORT || 4747}${env.PARLEY_BASE_PATH ?? ""}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new Error("PARLEY_URL is not usable: it must look like http://127.0.0.1:4747.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The token of `PARLEY_TOKEN`. @param whose whose it has to be, for the refusal where it is missing */
export function tokenOf(env: NodeJS.ProcessEnv, whose = "the agent's"): string {
  const token = env.PARLEY_TOKEN?.trim();
  if (!token)
    throw new Refusal(
      "UNAUTHENTICATED",
      `PARLEY_TOKEN is not set; set it to ${whose} token (parley token issue NAME).`,
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Refusal("UNAUTHENTICATED", `PARLEY_TOKEN is not a token; set it to ${whose} token.`);
  return token;
}

/** @param beside what calls: a hook, with the client's session, or a command */
export function openServer(url: string, token: string, beside: Beside = { through: "command" }): Server {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "User-Agent": `parley/${version}`,
    // Not the agent itself: its inbox stays for the agent.
    "X-Parley-Beside": beside.through,
    ...(beside.session !== undefined && { "X-Parley-Session": beside.session }),
  };
  return {
    url,
    async call(action, args, { seconds = 0, signal } = {}) {
      const limit = AbortSignal.timeout((seconds + slack) * 1000);
      try {
        const response = await fetch(`${url}/api/${action}`, {
          method: "POST",
          headers,
          body: JSON.stringify(args),
          redirect: "error",
          signal: signal ? AbortSignal.any([limit, signal]) : limit,
        });
        return read(url, response, await response.text());
      } catch (error) {
        return { unreachable: `${url} cannot be reached (${why(error)})` };
      }
    },
  };
}

function read(url: string, response: Response, text: string): Said {
  const body = parsed(text);
  const error = isObject(body) && isObject(body.error) ? body.error : null;
  if (response.ok && isObject(body) && !error) return { result: body };
  if (!error || typeof error.code !== "string" || typeof error.message !== "string")
    return { unreachable: `${url} answered ${response.status}, but not as Parley does` };
  const { code, message, ...facts } = error;
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    refused: { status: response.status, code, message, after: Number.isFinite(after) ? after : null, facts },
  };
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What Node knows of a failed fetch, in a few words. */
export function why(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
