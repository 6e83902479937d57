// One mapper from what was thrown to what a caller over HTTP or WebSocket reads.
import type { Response } from "express";
import type { Logger } from "pino";
import { newId } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import { StoreUnavailable } from "../store/unavailable.ts";

/** How soon a call may be made again when the store was not to be had, seconds. */
const retryAfter = 5;

/**
 * A refusal as it is; `UNAVAILABLE` where the store cannot be used for the moment; anything else as `INTERNAL` with an id
 * under which the log has the stack.
 */
export function refusalOf(error: unknown, log: Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) {
    log.warn({ err: error }, "the store cannot be used for the moment");
    return new Refusal(
      "UNAVAILABLE",
      `${error.message} Try again in ${retryAfter} seconds, with the same key if any.`,
      {
        retry_after: retryAfter,
      },
    );
  }
  const id = newId();
  log.error({ err: error, id }, "internal error");
  return new Refusal("INTERNAL", `Something broke inside (internal error ${id}); try again, then tell the operator.`, {
    id,
  });
}

export function refuse(res: Response, refusal: Refusal): void {
  if (res.headersSent) return void res.end();
  if (refusal.status === 401) res.setHeader("WWW-Authenticate", "Bearer");
  if (typeof refusal.facts.retry_after === "number") res.setHeader("Retry-After", String(refusal.facts.retry_after));
  res.status(refusal.status).json({ error: refusal });
}
