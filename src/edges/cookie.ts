// The session's cookie. Browsers send cookies to every port and every path of a host, so that its name tells apart
// the servers that stand under one: by the port as the browser sees it, and by the base path.
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Guard } from "./guard.ts";

interface SessionCookie {
  /** As `parley_4747`, `parley_4747.team`; behind HTTPS `__Host-parley`, `__Host-parley.team`. */
  name: string;
  path: string;
  secure: boolean;
}

export type CookieFor = (req: IncomingMessage) => SessionCookie;

export function cookieFor({ basePath, publicUrl }: Config, guard: Guard): CookieFor {
  return (req) => {
    const verdict = guard(req);
    const { scheme, host } = verdict.ok ? verdict.seen : { scheme: "http", host: "" };
    const secure = scheme === "https" || publicUrl?.startsWith("https:") === true;
    const port = /:(\d+)$/.exec(host)?.[1] ?? (secure ? "443" : "80");
    const server = `${secure && port === "443" ? "parley" : `parley_${port}`}${basePath.replaceAll("/", ".")}`;
    // The prefix binds it to this host and to Path=/: no other name of the domain can set it.
    return secure ? { name: `__Host-${server}`, path: "/", secure } : { name: server, path: `${basePath}/`, secure };
  };
}
