// One SQLite connection as Kysely sees it: statements are prepared once, booleans go in as 0 and 1,
// and columns declared boolean or json come out as such.
import type Database from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { patiently } from "./patience.ts";

type Decode = (value: unknown) => unknown;
type Row = Record<string, unknown>;

interface Prepared {
  statement: Database.Statement<unknown[], Row>;
  decoders: ReadonlyArray<readonly [column: string, decode: Decode]>;
}

const decoders: Readonly<Record<string, Decode>> = {
  boolean: (value) => (value === null ? null : value !== 0),
  // A bare JSON number comes as a number: the column has numeric affinity.
  json: (value) => (typeof value === "string" ? JSON.parse(value) : value),
};

/** Lists of varying length make ever new statements: the oldest give way. */
const cacheSize = 500;

const bound = (value: unknown): unknown => (typeof value === "boolean" ? Number(value) : value);

export interface SqliteConnection extends DatabaseConnection {
  /** Runs a word of transaction control. */
  say(words: string): void;
  /** While true, a statement outside a transaction is refused. */
  mustBeInTransaction: boolean;
}

export function sqliteConnection(handle: Database.Database): SqliteConnection {
  const cache = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = cache.get(sql);
    if (known) return known;
    const statement = handle.prepare<unknown[], Row>(sql);
    const columns = statement.reader ? statement.columns() : [];
    const prepared: Prepared = {
      statement,
      decoders: columns.flatMap(({ name, type }) => {
        const decode = decoders[type?.toLowerCase() ?? ""];
        return decode ? [[name, decode] as const] : [];
      }),
    };
    cache.set(sql, prepared);
    if (cache.size > cacheSize) for (const oldest of [...cache.keys()].slice(0, cacheSize / 2)) cache.delete(oldest);
    return prepared;
  }

  function run({ sql, parameters, query }: CompiledQuery): QueryResult<never> {
    // SQLite ends a transaction by itself when the disk is full; what follows must not count as done.
    if (connection.mustBeInTransaction && !handle.inTransaction)
      throw new Error("The transaction was ended by SQLite after an error.");
    const { statement, decoders } = prepare(sql);
    const values = parameters.map(bound);
    if (statement.reader) {
      const rows = statement.all(...values);
      for (const [column, decode] of decoders) for (const row of rows) row[column] = decode(row[column]);
      return { rows: rows as never[] };
    }
    const { changes } = statement.run(...values);
    // What a statement answers with may have changed with the schema.
    if (/^(Create|Alter|Drop)/.test(query.kind)) cache.clear();
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  const connection: SqliteConnection = {
    mustBeInTransaction: false,
    say: (words) => void prepare(words).statement.run(),
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      return handle.inTransaction || connection.mustBeInTransaction ? run(query) : await patiently(() => run(query));
    },
    // biome-ignore lint/correctness/useYield: it only refuses
    async *streamQuery() {
      throw new Error("Rows are not streamed from SQLite.");
    },
  };
  return connection;
}
