// @ts-check
// A snapshot has a bound in bytes: where many cards wait or many tasks are open, the rest is listed page by page.
/** @import { App } from "../types.d.ts" */
import { filled } from "./parts.js";

/** @typedef {{ask: (action: string, args: Record<string, unknown>) => Promise<any>, change: (next: (app: App) => App) => void}} Page */

/**
 * @param {string} room @param {{gates: number, tasks: number}} left how many did not fit @param {Page} page
 */
export async function loadRest(room, left, { ask, change }) {
  /** @param {any} part */
  const take = (part) =>
    change((app) => {
      const data = app.data[room];
      return data ? { ...app, data: { ...app.data, [room]: filled(data, part) } } : app;
    });
  /** @param {string} action @param {Record<string, unknown>} args */
  const all = async (action, args) => {
    for (let cursor; ; ) {
      const part = await ask(action, { room, limit: 100, ...args, ...(cursor && { cursor }) });
      take(part);
      cursor = part.next ?? part.next_cursor;
      if (!cursor) return;
    }
  };
  try {
    if (left.gates > 0) await all("list_gates", { status: "pending" });
    if (left.tasks > 0) for (const status of ["submitted", "claimed", "open"]) await all("list_tasks", { status });
  } catch {
    // the line was lost: with the next snapshot it is told again what is left
  }
}
