// Whether the server can do its work now: not whether it runs, but whether the store takes a write and answers a read.
import type { Table } from "../table.ts";

/** A store that does not answer within this time is not ready (ms). */
const patience = 3000;

/** @returns why it is not ready, and what is not well though it works, in sentences */
export async function readiness({
  store,
  clock,
}: Pick<Table, "store" | "clock">): Promise<{ why?: string; warnings: string[] }> {
  let untimer = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    untimer = clock.after(patience, () =>
      reject(new Error(`The store has not answered for ${patience / 1000} seconds.`)),
    );
  });
  const looked = (async () => {
    await store.read((db) => db.selectFrom("rooms").select("name").limit(1).execute());
    // Reading works while another process keeps the store locked for writing.
    await store.write("_ready", async () => {});
    return store.health();
  })();
  try {
    return { warnings: await Promise.race([looked, late]) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error), warnings: [] };
  } finally {
    untimer();
    // What comes after its time has nobody who hears of it.
    looked.catch(() => {});
  }
}
