// @ts-check
// What this browser remembers: gates whose card came up by itself already, and those that were opened.
import { kept } from "./base.js";

/** @param {string} name @returns {Record<string, number>} id → when (ms) */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(kept(name)) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} name
 * @param {number} days what is older is forgotten
 */
function remember(name, days) {
  /** @type {Record<string, number>} */
  let held = read(name);
  return {
    /** @param {string} id */
    get: (id) => held[id],
    /** @param {string} id @param {number} value */
    set(id, value) {
      const old = Date.now() - days * 86_400_000;
      held = Object.fromEntries(Object.entries({ ...read(name), [id]: value }).filter(([, at]) => at > old));
      try {
        localStorage.setItem(kept(name), JSON.stringify(held));
      } catch {
        // kept for this page
      }
    },
  };
}

/** Gates for which the sheet has opened by itself: never twice for the same one. */
export const shownBefore = remember("shown", 30);

/** Cards that were opened, each with the digest that its action had. */
export const openedBefore = remember("opened", 8);
