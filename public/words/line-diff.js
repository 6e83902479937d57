// @ts-check
// Two texts, line by line: what was taken away, what came, and what stayed. Pure.
/** @import { Line } from "../view/diff.js" */

/** Beyond this many comparisons all is told as taken away and put in anew. */
const most = 1_000_000;

/** @param {string[]} a @param {string[]} b @returns {Line[]} */
export function lineDiff(a, b) {
  /** @type {(text: string) => Line} */
  const gone = (text) => ({ kind: "del", number: "", sign: "−", text });
  /** @type {(text: string) => Line} */
  const come = (text) => ({ kind: "add", number: "", sign: "+", text });
  if (a.length * b.length > most) return [...a.map(gone), ...b.map(come)];
  const wide = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * wide);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => longest[i * wide + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * wide + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  /** @type {Line[]} */
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "", number: "", sign: "", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(gone(a[i] ?? ""));
      i += 1;
    } else {
      lines.push(come(b[j] ?? ""));
      j += 1;
    }
  }
  return lines;
}

/** What an edit replaces and by what. @param {string} removed @param {string} added @returns {Line[]} */
export const linesOfEdit = (removed, added) =>
  lineDiff(removed ? removed.split("\n") : [], added ? added.split("\n") : []);
