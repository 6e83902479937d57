// Listens at the two database drivers: every statement that is sent, with its values and how many rows it answered.
import Database from "better-sqlite3";
import pg from "pg";
import { onTestFinished, vi } from "vitest";

export interface Sent {
  sql: string;
  values: readonly unknown[];
  rows: number;
}

/** From here to the end of the test; `take()` answers what was sent since the last take. */
export function spy(): { take(): Sent[] } {
  let sent: Sent[] = [];
  const prepare = Database.prototype.prepare;
  const onSqlite = vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    const statement = prepare.call(this, sql);
    for (const name of ["all", "run", "get"] as const) {
      const ask = statement[name] as (...values: unknown[]) => unknown;
      Object.defineProperty(statement, name, {
        value(...values: unknown[]) {
          const answer = ask.apply(statement, values);
          sent.push({ sql, values, rows: Array.isArray(answer) ? answer.length : 0 });
          return answer;
        },
      });
    }
    return statement;
  } as never);
  const query = pg.Client.prototype.query;
  const onPostgres = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
    this: pg.Client,
    sql: string,
    ...more: [values?: unknown[]]
  ) {
    const answer = await (query as (...all: unknown[]) => Promise<pg.QueryResult>).call(this, sql, ...more);
    const [values = []] = more;
    if (typeof sql === "string") sent.push({ sql, values, rows: answer?.rows?.length ?? 0 });
    return answer;
  } as never);
  onTestFinished(() => {
    onSqlite.mockRestore();
    onPostgres.mockRestore();
  });
  return {
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}
