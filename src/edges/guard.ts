// Which requests may come in at all: Host and Origin are looked at on every route and on the upgrade, so that
// neither a rebound name nor a foreign page, of this machine too, can speak to the server.
import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import proxyAddr from "proxy-addr";
import type { Config } from "../config.ts";

interface Seen {
  /** `http` or `https`, as the caller sees it. */
  scheme: string;
  /** Host with port, as the caller wrote it. */
  host: string;
  /** The caller's address. */
  address: string;
}

type Verdict = { ok: true; seen: Seen } | { ok: false; why: "host" | "origin" };

export type Guard = (req: IncomingMessage) => Verdict;

const one = (value: string | string[] | undefined): string | undefined => {
  const first = (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();
  return first || undefined;
};

const hostname = (host: string): string | null => {
  try {
    return new URL(`http://${host}`).hostname.toLowerCase();
  } catch {
    return null;
  }
};

/** The names that this machine answers to on its networks. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address.split("%")[0]}]` : address));

export function openGuard(config: Config, lan: boolean): Guard {
  const allowed = new Set(["localhost", "127.0.0.1", "[::1]"]);
  for (const host of config.allowedHosts) allowed.add(hostname(host) ?? host.toLowerCase());
  if (lan) for (const address of ownAddresses()) allowed.add(address);
  const publicOrigin = config.publicUrl ? new URL(config.publicUrl).origin : undefined;
  if (publicOrigin) allowed.add(new URL(publicOrigin).hostname);
  const trusts = proxyAddr.compile([...(config.trustProxy ?? [])]);

  return (req) => {
    const peer = req.socket.remoteAddress ?? "";
    const behind = config.trustProxy !== undefined && trusts(peer, 0);
    const host = (behind ? one(req.headers["x-forwarded-host"]) : undefined) ?? req.headers.host ?? "";
    const scheme = (behind ? one(req.headers["x-forwarded-proto"]) : undefined) ?? "http";
    const name = hostname(host);
    if (name === null || !allowed.has(name)) return { ok: false, why: "host" };
    const { origin } = req.headers;
    if (origin !== undefined && !sameOrigin(origin, `${scheme}://${host}`) && origin !== publicOrigin)
      return { ok: false, why: "origin" };
    return { ok: true, seen: { scheme, host, address: behind ? proxyAddr(req, trusts) : peer } };
  };
}

function sameOrigin(origin: string, own: string): boolean {
  try {
    return new URL(own).origin === origin;
  } catch {
    return false;
  }
}
