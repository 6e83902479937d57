// The headers of every answer, whatever the route, the method or the error.
import type { ServerResponse } from "node:http";

/** Nothing may run, and no page may hold this one in a frame. The dashboard's pages bring a policy of their own. */
const headers = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
} as const;

export function secureHeaders(res: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/** A whole answer without a body, for a connection that never became a request. @param status as `404 Not Found` */
export function bareAnswer(status: string): string {
  const all = { Connection: "close", "Content-Length": "0", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}
