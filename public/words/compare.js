// @ts-check
// Two texts, or two actions, as the lines of a diff: what was taken away, what came, and a little of what stayed. Pure.
/** @import { Line } from "../view/diff.js" */
import { describe, editable, withEdit } from "./action.js";
import { alike, lineDiff } from "./line-diff.js";

/** Lines that stayed, shown on each side of a change. */
const around = 2;

/** Says in each of two lines, of which one replaces the other, what is different. @param {Line} one @param {Line} other */
function tellApart(one, other) {
  const [a, b] = [[...one.text], [...other.text]];
  const start = alike(a, b);
  const end = alike(a.slice(start).reverse(), b.slice(start).reverse());
  if (!start && !end) return;
  for (const [line, chars] of /** @type {const} */ ([
    [one, a],
    [other, b],
  ])) {
    const from = chars.slice(0, start).join("").length;
    line.differs = [from, line.text.length - chars.slice(chars.length - end).join("").length];
  }
}

/** @param {Line[]} lines */
function withDifferences(lines) {
  for (let i = 0; i < lines.length; ) {
    let gone = i;
    while (lines[gone]?.kind === "del") gone += 1;
    let come = gone;
    while (lines[come]?.kind === "add") come += 1;
    for (let n = 0; n < Math.min(gone - i, come - gone); n++) {
      const [one, other] = [lines[i + n], lines[gone + n]];
      if (one && other) tellApart(one, other);
    }
    i = Math.max(come, i + 1);
  }
  return lines;
}

/** What stayed far from any change is counted, not shown. @param {Line[]} lines @returns {Line[]} */
function folded(lines) {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - around), i + around + 1).some((line) => line.kind));
  /** @type {Line[]} */
  const shown = [];
  let hidden = 0;
  const fold = () => {
    if (hidden)
      shown.push({
        kind: "hunk",
        number: "",
        sign: "",
        text: `${hidden} ${hidden === 1 ? "line" : "lines"} as before`,
      });
    hidden = 0;
  };
  lines.forEach((line, i) => {
    if (!near[i]) {
      hidden += 1;
      return;
    }
    fold();
    shown.push(line);
  });
  fold();
  return shown;
}

/** @param {string} before @param {string} after @returns {Line[]} none where they are the same */
function compare(before, after) {
  if (before === after) return [];
  return folded(withDifferences(lineDiff(before.split("\n"), after.split("\n"))));
}

/** The same JSON written the same way. @param {unknown} value @returns {unknown} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

/** JSON to be read, a text of several lines as several: after each `\\n` in it the line ends. @param {unknown} value */
const asText = (value) =>
  (JSON.stringify(sorted(value), null, 2) ?? "").replace(/(?<!\\)((?:\\\\)*)\\n(?!"$)/gm, "$1\\n\n");

/**
 * One action against another: by the command where nothing else of it changed, else by the JSON of the whole.
 * @param {unknown} before @param {unknown} after @returns {Line[]}
 */
export function compareActions(before, after) {
  const command =
    describe(before).edit === "text" &&
    describe(after).edit === "text" &&
    asText(withEdit(before, editable(after))) === asText(after);
  return command ? compare(editable(before), editable(after)) : compare(asText(before), asText(after));
}
