// @ts-check
// The session's secret, in IndexedDB, which belongs to the origin with its port, as a cookie does not. Each base path
// has a database of its own: a server never reads, overwrites or deletes the secret of another.
import { base } from "./base.js";

const name = base.pathname === "/" ? "parley" : `parley ${base.pathname}`;

/** @returns {Promise<IDBDatabase>} */
const open = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("session");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(session: IDBObjectStore) => IDBRequest<T>} body
 * @returns {Promise<T>}
 */
async function within(mode, body) {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const asked = body(db.transaction("session", mode).objectStore("session"));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } finally {
    db.close();
  }
}

/** Stands in where a private window has no IndexedDB: the session then lasts as long as the page. @type {string | null} */
let held = null;

/** @returns {Promise<string | null>} */
export async function readSecret() {
  try {
    return (await within("readonly", (s) => s.get("secret"))) ?? held;
  } catch {
    return held;
  }
}

/** @param {string} secret */
export async function keepSecret(secret) {
  held = secret;
  try {
    await within("readwrite", (s) => s.put(secret, "secret"));
  } catch {
    // held for this page
  }
}

export async function dropSecret() {
  held = null;
  try {
    await within("readwrite", (s) => s.delete("secret"));
  } catch {
    // nothing was kept
  }
}
