// Tells that another process may have committed to a SQLite file: by watching its folder, with a look
// every 250 ms behind it. Works only while somebody listens, and never keeps the process alive.
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** An event can come before its commit is visible: look at once, and again after each of these (ms). */
const looks = [1, 2, 5, 20];
const interval = 250;

/** @param version a number that moves when, and only when, another connection has committed */
export function watchFile(file: string, version: () => number | null, listener: () => void): () => void {
  const wal = `${basename(file)}-wal`;
  let last = version();
  let next = looks.length;
  let timer: NodeJS.Timeout | null = null;

  function look(): void {
    const now = version();
    if (now === null || now === last) return;
    last = now;
    listener();
  }
  function lookLater(): void {
    const ms = looks[next++];
    timer = ms === undefined ? null : setTimeout(lookAgain, ms).unref();
  }
  function lookAgain(): void {
    look();
    lookLater();
  }
  /** Each event looks anew: while the looks after an own commit still go on, another's may come. */
  function stir(): void {
    next = 0;
    if (timer) clearTimeout(timer);
    look();
    lookLater();
  }

  let watcher: FSWatcher | null = null;
  try {
    // The folder, since a watch on the file dies with it when it is made anew.
    watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
      if (name === null || name === wal) stir();
    });
    watcher.on("error", () => watcher?.close());
  } catch {
    // No more watches to be had: the interval does it alone.
  }
  const poll = setInterval(look, interval).unref();

  return () => {
    watcher?.close();
    clearInterval(poll);
    if (timer) clearTimeout(timer);
    next = looks.length;
  };
}
