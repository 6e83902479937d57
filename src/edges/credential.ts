// From a request's bearer token or cookie to who calls.
import type { IncomingMessage } from "node:http";
import { type Caller, callerOfSession, callerOfToken } from "../members/caller.ts";
import { Refusal } from "../refusal.ts";
import type { Store } from "../store/port.ts";
import type { CookieFor } from "./cookie.ts";

/** The bearer token of a request, if it sends one. */
export const bearerOf = (req: IncomingMessage): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? "")?.[1];

export const unauthenticated = (): Refusal =>
  new Refusal(
    "UNAUTHENTICATED",
    "No valid credential: send Authorization: Bearer TOKEN, or ask the operator for a new token.",
  );

export interface Known {
  caller: Caller;
  /** Cookies ignore ports: by itself one only reads. Whoever knows the session's secret too may change things. */
  mayChange: boolean;
}

export function cookieOf(req: IncomingMessage, name: string): string | undefined {
  for (const part of (req.headers.cookie ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** Who sends this request, or null. A bearer token goes before a cookie. */
export async function known(store: Store, req: IncomingMessage, cookieAt: CookieFor): Promise<Known | null> {
  const token = bearerOf(req);
  if (token !== undefined) {
    const caller = await store.read((db) => callerOfToken(db, token));
    return caller && { caller, mayChange: true };
  }
  const cookie = cookieOf(req, cookieAt(req).name);
  if (cookie === undefined) return null;
  const session = await store.read((db) => callerOfSession(db, cookie));
  if (!session) return null;
  const secret = req.headers["x-parley-secret"];
  return { caller: session.caller, mayChange: typeof secret === "string" && session.knows(secret) };
}
