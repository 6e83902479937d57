// @ts-check
// A unified diff drawn as a diff: numbers, signs, added and removed lines. A line that fits no rule is shown as it is.
import { html } from "htm/preact";
import { marked } from "../words/marks.js";
import { Rows } from "./rows.js";

/**
 * @typedef {{kind: "" | "add" | "del" | "hunk", number: string, sign: string, text: string, differs?: [number, number]}} Line
 *   `differs`: which part of it is other than in the line that it stands against
 */

/** @param {string} text @param {string} [lang] */
export const looksLikeDiff = (text, lang) =>
  lang === "diff" || lang === "patch" || (/^(---|\+\+\+) /m.test(text) && /^@@ /m.test(text));

/** @param {string} text @returns {Line[]} */
export function linesOfDiff(text) {
  let before = 0;
  let after = 0;
  let numbered = false;
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      numbered = true;
      return { kind: "hunk", number: "", sign: "", text: line };
    }
    if (
      !numbered &&
      /^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity |old mode|new mode)/.test(line)
    ) {
      return { kind: "hunk", number: "", sign: "", text: line };
    }
    const sign = line[0];
    const rest = line.slice(1);
    if (sign === "+") return { kind: "add", number: numbered ? `${after++}` : "", sign: "+", text: rest };
    if (sign === "-") return { kind: "del", number: numbered ? `${before++}` : "", sign: "−", text: rest };
    if (sign === " " || (line === "" && numbered)) {
      before += 1;
      return { kind: "", number: numbered ? `${after++}` : "", sign: "", text: rest };
    }
    numbered = false;
    return { kind: "hunk", number: "", sign: "", text: line };
  });
}

/** @param {{line: Line}} props */
function Words({ line: { text, differs } }) {
  if (!differs || differs[0] === differs[1]) return marked(text, { code: true });
  const part = (/** @type {number} */ from, /** @type {number} */ to) => marked(text.slice(from, to), { code: true });
  return html`${part(0, differs[0])}<em>${part(...differs)}</em>${part(differs[1], text.length)}`;
}

/** @param {Line} line */
const drawn = (line) =>
  html`<span class=${line.kind}><i>${line.number}</i><b>${line.sign}</b><code><${Words} line=${line} /></code></span>`;

/** @param {{text?: string, lines?: Line[], label?: string}} props */
export function Diff({ text = "", lines = linesOfDiff(text), label = "Changes, whole" }) {
  return html`<${Rows} class="diff" label=${label} rows=${lines} draw=${drawn} />`;
}
