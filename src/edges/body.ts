// The body of a request to the API or the session: JSON of bounded size and depth, or a refusal in words.
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { Refusal } from "../refusal.ts";
import { wrongWith } from "./json.ts";

/** @param limit as `1mb` */
export function jsonBody(limit: string): RequestHandler[] {
  return [onlyJson, express.json({ limit, strict: false, type: "application/json" }), notDeep];
}

/** A body that is not JSON is refused before anything reads it. */
function onlyJson(req: Request, _res: Response, next: NextFunction): void {
  const hasBody = Number(req.headers["content-length"] ?? 0) > 0 || req.headers["transfer-encoding"] !== undefined;
  if (hasBody && !req.is("application/json"))
    throw new Refusal("BAD_INPUT", "Send arguments as JSON with Content-Type: application/json.", { status: 415 });
  next();
}

function notDeep(req: Request, _res: Response, next: NextFunction): void {
  const wrong = wrongWith(req.body);
  if (wrong) throw new Refusal("BAD_INPUT", `The body ${wrong}.`);
  next();
}

/** What was found wrong with a request's body or address before anything looked at it. */
export function badRequest(error: unknown): Refusal | null {
  const { status, type, limit } = (error ?? {}) as { status?: unknown; type?: unknown; limit?: number };
  if (error instanceof Refusal || typeof status !== "number" || status < 400 || status > 499) return null;
  if (status === 413)
    return new Refusal("TOO_LONG", `The body is over ${sizeOf(limit)}; send less at once.`, { status });
  const what =
    typeof type === "string"
      ? "The body is not usable JSON; send one JSON object."
      : "This address is not well-formed.";
  return new Refusal("BAD_INPUT", what, { status });
}

const sizeOf = (bytes = 1 << 20): string => (bytes < 1 << 20 ? `${bytes >> 10} KiB` : `${bytes >> 20} MiB`);
