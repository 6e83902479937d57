// Writes that wait at the same time are committed together: one wait for the disk for all of them.
// Each is all or nothing by itself, in a savepoint of its own, and is told only once all are safe.
import { AsyncResource } from "node:async_hooks";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { Tables } from "./tables.ts";

type Work<T> = (transaction: Transaction<Tables>) => Promise<T>;

interface Waiting {
  work: Work<unknown>;
  done(value: unknown): void;
  failed(error: unknown): void;
}

/** So many at most: other processes want the file too. */
const most = 50;

/** @returns how to write: in the order they came, one after the other, in one transaction with their neighbours */
export function together(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  let running = false;

  async function inSavepoint(transaction: Transaction<Tables>, { work, done, failed }: Waiting): Promise<() => void> {
    const say = (words: string) => transaction.executeQuery(CompiledQuery.raw(words));
    await say("savepoint one_of_many");
    try {
      const value = await work(transaction);
      return () => done(value);
    } catch (error) {
      await say("rollback to savepoint one_of_many");
      return () => failed(error);
    } finally {
      await say("release savepoint one_of_many");
    }
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch;
    if (only && batch.length === 1) return db.transaction().execute(only.work).then(only.done, only.failed);
    try {
      const tell = await db.transaction().execute(async (transaction) => {
        const told: Array<() => void> = [];
        for (const one of batch) told.push(await inSavepoint(transaction, one));
        return told;
      });
      for (const one of tell) one();
    } catch (error) {
      for (const one of batch) one.failed(error);
    }
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // Whatever has come in by now is read first, so that it can go with the others.
      await new Promise((resolve) => setImmediate(resolve));
      await commit(waiting.splice(0, most));
    }
    running = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work: AsyncResource.bind(work), done: resolve as (value: unknown) => void, failed: reject });
      if (!running) void run();
    });
}
