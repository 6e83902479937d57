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

/** Lists of varying length make ever new statements: the older half gives way. */
const cacheSize = 500;

function bound(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  // Half a surrogate pair becomes one U+FFFD, as on its way to PostgreSQL.
  return typeof value === "string" ? (value as string & { toWellFormed(): string }).toWellFormed() : value;
}

export interface SqliteConnection extends DatabaseConnection {
  begin(word: "begin" | "begin immediate"): void;
  commit(): void;
  rollback(): void;
}

export function sqliteConnection(handle: Database.Database): SqliteConnection {
  const cache = new Map<string, Prepared>();
  let inside: "read" | "write" | null = null;
  let failed = false;

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
  const say = (words: string) => prepare(words).statement.run();

  function run({ sql, parameters, query }: CompiledQuery): QueryResult<never> {
    const { statement, decoders } = prepare(sql);
    if (inside === "read" && !statement.readonly) throw new Error("A reader cannot write: this is a bug in Parley.");
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

  /** As PostgreSQL has it: once a statement has failed, the transaction can only go back. */
  function runInWrite(query: CompiledQuery): QueryResult<never> {
    const goesBack = query.sql.startsWith("rollback to");
    // SQLite ends a transaction by itself where, say, the disk is full.
    if (!handle.inTransaction || (failed && !goesBack)) throw new Error("A statement before this one has failed.");
    try {
      const result = run(query);
      failed = false;
      return result;
    } catch (error) {
      failed = true;
      throw error;
    }
  }

  return {
    begin(word) {
      say(word);
      inside = word === "begin" ? "read" : "write";
      failed = false;
    },
    commit() {
      if (failed) throw new Error("A statement has failed, so nothing is committed.");
      say("commit");
      inside = null;
    },
    rollback() {
      inside = null;
      if (handle.inTransaction) say("rollback");
    },
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (inside === "write") return runInWrite(query);
      // Even a reader can meet a lock, while the file is put right after a crash.
      return await patiently(() => run(query));
    },
    // biome-ignore lint/correctness/useYield: it only refuses
    async *streamQuery() {
      throw new Error("Rows are not streamed from SQLite.");
    },
  };
}
