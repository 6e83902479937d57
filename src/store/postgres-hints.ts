// Tells other processes on the same PostgreSQL of a commit, and hears of theirs. NOTIFY goes out after commit,
// one for all of 5 ms, since inside a transaction it would make commits queue; a slow look stands behind it.
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Warnings } from "./warnings.ts";

const channel = "parley";
const gather = 5;
const interval = 1000;
const shortest = 100;
const longest = 5000;

export interface Hints {
  /** Something was committed here. */
  announce(): void;
  listen(listener: () => void): () => void;
  close(): Promise<void>;
}

/** One connection that LISTENs, made anew whenever it is lost; `heard` is called for that as well. */
function ear(config: pg.ClientConfig, ours: string, heard: () => void, log: Warnings): () => Promise<void> {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let wait = shortest;
  let stopped = false;

  async function connect(): Promise<void> {
    const mine = new pg.Client(config);
    client = mine;
    const lost = (error?: unknown) => {
      if (client !== mine || stopped) return;
      client = null;
      mine.end().catch(() => {});
      log.warn({ err: error }, "the connection that listens for other processes is lost; connecting again");
      heard();
      timer = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2));
      wait = Math.min(wait * 2, longest);
    };
    mine.on("error", lost);
    mine.on("end", lost);
    mine.on("notification", ({ payload }) => {
      if (payload !== ours) heard();
    });
    try {
      await mine.connect();
      await mine.query(`listen ${channel}`);
      wait = shortest;
      // What was said while nobody listened.
      heard();
    } catch (error) {
      lost(error);
    }
  }
  void connect();

  return async () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}

export function postgresHints(pool: pg.Pool, config: pg.ClientConfig, log: Warnings): Hints {
  const ours = randomUUID();
  const listeners = new Set<() => void>();
  let stop: (() => Promise<void>) | null = null;
  let due: NodeJS.Timeout | null = null;
  let facts: number | null = null;
  let looking = false;

  const heard = () => {
    for (const listener of listeners) listener();
  };
  /** For poolers that swallow NOTIFY: whatever matters leaves a fact. */
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const { rows } = await pool.query<{ facts: number }>("select coalesce(sum(facts), 0) as facts from rooms");
      const now = rows[0]?.facts ?? 0;
      if (now !== facts) heard();
      facts = now;
    } catch {
      // A store that cannot be read says so to its callers.
    } finally {
      looking = false;
    }
  }
  function start(): () => Promise<void> {
    const hush = ear(config, ours, heard, log);
    const poll = setInterval(() => void look(), interval).unref();
    return async () => {
      clearInterval(poll);
      await hush();
    };
  }
  async function tell(): Promise<void> {
    due = null;
    try {
      await pool.query("select pg_notify($1, $2)", [channel, ours]);
    } catch (error) {
      log.warn({ err: error }, "other processes could not be told of a commit; they will see it within a second");
    }
  }

  return {
    announce() {
      due ??= setTimeout(() => void tell(), gather);
    },
    listen(listener) {
      // One entry for each call, even of the same listener.
      const mine = () => listener();
      listeners.add(mine);
      stop ??= start();
      return () => {
        listeners.delete(mine);
        if (listeners.size > 0) return;
        void stop?.();
        stop = null;
      };
    },
    async close() {
      listeners.clear();
      await stop?.();
      stop = null;
      if (!due) return;
      clearTimeout(due);
      await tell();
    },
  };
}
