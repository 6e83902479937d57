// @ts-check
// Two texts, line by line: what was taken away, what came, and what stayed. Pure.
/** @import { Line } from "../view/diff.js" */

/** More comparisons than this would hold the page up: the texts are then cut at lines that stand once in both. */
const most = 1_000_000;

/** @param {string} text @returns {Line} */
const same = (text) => ({ kind: "", number: "", sign: "", text });
/** @param {string} text @returns {Line} */
const gone = (text) => ({ kind: "del", number: "", sign: "−", text });
/** @param {string} text @returns {Line} */
const come = (text) => ({ kind: "add", number: "", sign: "+", text });

/** How many lines, or characters, two texts begin with alike. @param {string[]} a @param {string[]} b */
export function alike(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return n;
}

/** Where each line stands that stands there only once. @param {string[]} lines @returns {Map<string, number>} */
function once(lines) {
  const at = new Map();
  for (const [i, line] of lines.entries()) at.set(line, at.has(line) ? -1 : i);
  for (const [line, i] of at) if (i < 0) at.delete(line);
  return at;
}

/**
 * Lines that stand once in each text and in the same order in both: the longest such row of them.
 * @param {string[]} a @param {string[]} b @returns {[number, number][]} where in `a`, where in `b`
 */
function anchors(a, b) {
  const there = once(b);
  /** @type {{at: [number, number], before: any}[]} the best end of a row of each length */
  const ends = [];
  for (const [line, i] of once(a)) {
    const j = there.get(line);
    if (j === undefined) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.at[1] ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    ends[low] = { at: [i, j], before: ends[low - 1] };
  }
  /** @type {[number, number][]} */
  const row = [];
  for (let end = ends.at(-1); end; end = end.before) row.push(end.at);
  return row.reverse();
}

/** By the longest common row of lines. @param {string[]} a @param {string[]} b @returns {Line[]} */
function small(a, b) {
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
      lines.push(same(a[i] ?? ""));
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

/** Both of them where they are short, else piece by piece between their anchors. @param {string[]} a @param {string[]} b @returns {Line[]} */
function large(a, b) {
  if (a.length * b.length <= most) return small(a, b);
  const row = anchors(a, b);
  if (!row.length) return [...a.map(gone), ...b.map(come)];
  /** @type {Line[]} */
  const lines = [];
  let [i, j] = [0, 0];
  for (const [atA, atB] of [...row, /** @type {[number, number]} */ ([a.length, b.length])]) {
    for (const line of lineDiff(a.slice(i, atA), b.slice(j, atB))) lines.push(line);
    if (atA < a.length) lines.push(same(a[atA] ?? ""));
    [i, j] = [atA + 1, atB + 1];
  }
  return lines;
}

/** @param {string[]} a @param {string[]} b @returns {Line[]} */
export function lineDiff(a, b) {
  const head = alike(a, b);
  const [restA, restB] = [a.slice(head), b.slice(head)];
  const tail = alike([...restA].reverse(), [...restB].reverse());
  return [
    ...a.slice(0, head).map(same),
    ...large(restA.slice(0, restA.length - tail), restB.slice(0, restB.length - tail)),
    ...restA.slice(restA.length - tail).map(same),
  ];
}

/** What an edit replaces and by what. @param {string} removed @param {string} added @returns {Line[]} */
export const linesOfEdit = (removed, added) =>
  lineDiff(removed ? removed.split("\n") : [], added ? added.split("\n") : []);
