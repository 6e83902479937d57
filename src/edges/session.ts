// Signing in and out of the dashboard (D7): a link's code is redeemed by POST for a cookie that only reads
// and a secret that every change carries.
import { type CookieOptions, type Request, Router } from "express";
import type { Logger } from "pino";
import { z } from "zod";
import { type Caller, callerOfSession } from "../members/caller.ts";
import { redeem, signOut } from "../members/signin.ts";
import { Refusal } from "../refusal.ts";
import type { Table } from "../table.ts";
import { line, parse } from "../words.ts";
import { refusalOf, refuse } from "./answer.ts";
import type { CookieFor } from "./cookie.ts";
import { cookieOf, unauthenticated } from "./credential.ts";
import { deviceOf } from "./device.ts";

const signIn = z.strictObject({ code: line(200), name: line(64).optional() });

export const meOf = ({ actor }: Caller) => ({
  member: actor.member,
  server_role: actor.serverRole,
  session: actor.credential.slice("session:".length),
  device: actor.device,
});

export function session(table: Table, log: Logger, cookieAt: CookieFor): Router {
  const router = Router();
  const options = (req: Request): CookieOptions => ({
    httpOnly: true,
    sameSite: "strict",
    secure: cookieAt(req).secure,
    path: cookieAt(req).path,
    maxAge: 400 * 24 * 3600 * 1000,
  });
  const find = async (req: Request) => {
    const cookie = cookieOf(req, cookieAt(req).name);
    return cookie === undefined ? null : table.store.read((db) => callerOfSession(db, cookie));
  };
  router
    .route("/")
    .post(async (req, res) => {
      try {
        const body: unknown = req.body ?? {};
        if (typeof body !== "object") throw new Refusal("BAD_INPUT", "Send {code, name?} as JSON.");
        const { code, name } = parse("session", signIn, body as Record<string, unknown>) as z.infer<typeof signIn>;
        const device = deviceOf(req.headers["user-agent"]);
        const signed = await redeem(table, code, name, device);
        res.cookie(cookieAt(req).name, signed.cookie, options(req));
        const found = await table.store.read((db) => callerOfSession(db, signed.cookie));
        if (!found) throw unauthenticated();
        res.json({ secret: signed.secret, me: meOf(found.caller) });
      } catch (error) {
        refuse(res, refusalOf(error, log));
      }
    })
    .get(async (req, res) => {
      const found = await find(req);
      if (!found) return refuse(res, new Refusal("UNAUTHENTICATED", "Sign in by a link: parley link makes one."));
      res.json({ me: meOf(found.caller) });
    })
    .delete(async (req, res) => {
      try {
        const found = await find(req);
        const secret = req.headers["x-parley-secret"];
        if (!found) throw unauthenticated();
        if (typeof secret !== "string" || !found.knows(secret))
          throw new Refusal("FORBIDDEN", "Signing out needs the session's secret as x-parley-secret.");
        const me = meOf(found.caller);
        await signOut(table, me.member, "all" in req.query ? null : me.session);
        res.clearCookie(cookieAt(req).name, { ...options(req), maxAge: undefined } as CookieOptions);
        res.json({ signed_out: true });
      } catch (error) {
        refuse(res, refusalOf(error, log));
      }
    })
    .all((_req, res) => {
      res.setHeader("Allow", "GET, POST, DELETE");
      refuse(
        res,
        new Refusal("BAD_INPUT", "A session is made by POST, read by GET, ended by DELETE.", { status: 405 }),
      );
    });
  return router;
}
