// POST /api/NAME: every action of the public contract, JSON in, JSON out.
import { Router } from "express";
import type { Logger } from "pino";
import type { AnyAction } from "../action.ts";
import { Refusal } from "../refusal.ts";
import type { Table } from "../table.ts";
import { refusalOf, refuse } from "./answer.ts";
import { known, unauthenticated } from "./credential.ts";

export function api(table: Table, log: Logger, cookieName: string): Router {
  const router = Router();
  router.all("/:name", async (req, res) => {
    const gone = new AbortController();
    let handedOver: (() => Promise<void>) | undefined;
    res.on("close", () => {
      if (!res.writableFinished) gone.abort();
    });
    res.on("finish", () => {
      handedOver?.().catch((error) => log.error({ err: error }, "could not note a hand-over"));
    });
    try {
      if (req.method !== "POST") {
        res.setHeader("Allow", "POST");
        throw new Refusal("BAD_INPUT", "Actions are called by POST, with their arguments as JSON.", { status: 405 });
      }
      const found = await known(table.store, req, cookieName);
      if (!found) throw unauthenticated();
      const action = table.actions.get(req.params.name);
      if (!action)
        throw new Refusal("NOT_FOUND", `There is no action called ${JSON.stringify(req.params.name.slice(0, 64))}.`);
      if (!found.mayChange && !onlyReads(action))
        throw new Refusal("FORBIDDEN", "The cookie alone only reads: send the session's secret as x-parley-secret.");
      const answer = await table.perform(found.caller, action.name, req.body, {
        signal: gone.signal,
        beside: req.headers["x-parley-beside"] !== undefined,
      });
      handedOver = answer.written;
      res.json(answer.result);
    } catch (error) {
      refuse(res, refusalOf(error, log));
    }
  });
  return router;
}

/** Waits that only wait change nothing either, but asking a person does: only what is a read is one. */
const onlyReads = (action: AnyAction): boolean => "read" in action;
