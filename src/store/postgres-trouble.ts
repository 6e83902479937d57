// Which errors of PostgreSQL say that the database is out of reach rather than that a statement is wrong, and the end of
// a connection on which a statement was not answered: behind a failover proxy the peer may be gone while the socket lives,
// and every later statement on that connection would wait for ever as well.
import type pg from "pg";
import { StoreUnavailable } from "./unavailable.ts";

/** A statement that was not answered in this time ends with an error (ms). A lock is waited for less than that. */
export const statementLimit = 30_000;

const notAnswered = "Query read timeout";

const notConnected = "timeout exceeded when trying to connect";

const messages: ReadonlySet<string> = new Set([
  notAnswered,
  notConnected,
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);
const network: ReadonlySet<string> = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ETIMEDOUT".split(" "),
);
/** SQLSTATE: connection lost (08…), shutting down or starting (57P0…), too many connections, a lock not had in time. */
const state = /^(?:08...|57P0[1-3]|53300|55P03)$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * @param doing whether something was being written: then it may have been committed before the answer was lost
 * @returns the error as it is, or `StoreUnavailable` where the database is out of reach
 */
export function troubleIn(error: unknown, doing: "reading" | "writing"): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  if (!messages.has(error.message) && !network.has(code) && !state.test(code)) return error;
  const cause = error.message === notAnswered ? "a statement was not answered in time" : error.message || code;
  const sent = code !== "ECONNREFUSED" && code !== "55P03" && error.message !== notConnected;
  const left = doing === "writing" && sent ? " What was being written may have been done." : "";
  return new StoreUnavailable(`PostgreSQL cannot be reached (${cause}).${left}`, error);
}

/** Ends a connection as soon as one of its statements was not answered in time, so that nobody is handed it again. */
export function endUnanswered(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error) => {
      // The pool's own release comes later: until then a rollback would wait on the same dead connection.
      if (error instanceof Error && error.message === notAnswered) void (client as unknown as pg.Client).end();
      throw error;
    });
  }) as typeof client.query;
}
