// POST /api/NAME: every action of the public contract, JSON in, JSON out.
import { type NextFunction, type Request, type Response, Router } from "express";
import type { Logger } from "pino";
import type { AnyAction, Beside } from "../action.ts";
import { Refusal } from "../refusal.ts";
import type { Table } from "../table.ts";
import { refusalOf, refuse } from "./answer.ts";
import { jsonBody } from "./body.ts";
import type { CookieFor } from "./cookie.ts";
import { type Known, known, unauthenticated } from "./credential.ts";

export function api(table: Table, log: Logger, cookieAt: CookieFor): Router {
  const router = Router();
  /** Before the body is looked at: who is not known costs no more than this. */
  const knock = async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    if (req.method !== "POST") {
      res.setHeader("Allow", "POST");
      throw new Refusal("BAD_INPUT", "Actions are called by POST, with their arguments as JSON.", { status: 405 });
    }
    const found = await known(table.store, req, cookieAt);
    if (!found) throw unauthenticated();
    res.locals.known = found;
    next();
  };
  router.all("/:name", knock, ...jsonBody("1mb"), async (req: Request, res: Response) => {
    const gone = new AbortController();
    let handedOver: (() => Promise<void>) | undefined;
    res.on("close", () => {
      if (!res.writableFinished) gone.abort();
    });
    res.on("finish", () => {
      handedOver?.().catch((error) => log.error({ err: error }, "could not note a hand-over"));
    });
    try {
      const found = res.locals.known as Known;
      const name = String(req.params.name);
      const action = table.actions.get(name);
      if (!action) throw new Refusal("NOT_FOUND", `There is no action called ${JSON.stringify(name.slice(0, 64))}.`);
      if (!found.mayChange && !onlyReads(action))
        throw new Refusal("FORBIDDEN", "The cookie alone only reads: send the session's secret as x-parley-secret.");
      const answer = await table.perform(found.caller, action.name, req.body, {
        signal: gone.signal,
        beside: besideIn(req),
      });
      // Whoever has gone meanwhile is told nothing, so nothing of it counts as delivered.
      if (gone.signal.aborted || res.destroyed) return await answer.lost();
      handedOver = answer.written;
      res.json(answer.result);
    } catch (error) {
      refuse(res, refusalOf(error, log));
    }
  });
  return router;
}

/** `X-Parley-Beside: hook` or `command`, and for a hook the client's session in `X-Parley-Session`. */
function besideIn({ headers }: Request): Beside | undefined {
  const said = headers["x-parley-beside"];
  if (said === undefined) return undefined;
  const session = headers["x-parley-session"];
  return {
    through: said === "hook" ? "hook" : "command",
    ...(typeof session === "string" && session.length <= 128 && { session }),
  };
}

/** Waits that only wait change nothing either, but asking a person does: only what is a read is one. */
const onlyReads = (action: AnyAction): boolean => "read" in action;
