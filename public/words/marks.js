// @ts-check
// Makes every character visible that would otherwise change what a text seems to say: bidirectional controls,
// invisible ones, control characters, spaces that are none. Nothing is removed.
import { html } from "htm/preact";

/** @type {Record<number, [string, string]>} code point → what is written in its place, and what it is */
const names = {
  0: ["NUL", "null character"],
  7: ["BEL", "bell"],
  8: ["BS", "backspace: would delete what stands before it"],
  13: ["CR", "carriage return: would overwrite the line"],
  27: ["ESC", "escape: begins a terminal command"],
  127: ["DEL", "delete"],
  133: ["NEL", "next line"],
  160: ["NBSP", "no-break space"],
  173: ["SHY", "soft hyphen"],
  847: ["CGJ", "combining grapheme joiner"],
  1564: ["ALM", "Arabic letter mark"],
  4447: ["HCF", "Hangul choseong filler"],
  4448: ["HJF", "Hangul jungseong filler"],
  6158: ["MVS", "Mongolian vowel separator"],
  8203: ["ZWSP", "zero width space"],
  8204: ["ZWNJ", "zero width non-joiner"],
  8205: ["ZWJ", "zero width joiner"],
  8206: ["LRM", "left-to-right mark"],
  8207: ["RLM", "right-to-left mark"],
  8232: ["LS", "line separator"],
  8233: ["PS", "paragraph separator"],
  8234: ["LRE", "left-to-right embedding"],
  8235: ["RLE", "right-to-left embedding"],
  8236: ["PDF", "pop directional formatting"],
  8237: ["LRO", "left-to-right override"],
  8238: ["RLO", "right-to-left override: would turn the text round"],
  8288: ["WJ", "word joiner"],
  8289: ["FA", "function application"],
  8290: ["IT", "invisible times"],
  8291: ["IS", "invisible separator"],
  8292: ["IP", "invisible plus"],
  8294: ["LRI", "left-to-right isolate"],
  8295: ["RLI", "right-to-left isolate"],
  8296: ["FSI", "first strong isolate"],
  8297: ["PDI", "pop directional isolate"],
  12288: ["IDSP", "ideographic space"],
  12644: ["HF", "Hangul filler"],
  65279: ["BOM", "byte order mark, zero width"],
  65440: ["HHF", "halfwidth Hangul filler"],
};

// whatever draws nothing, turns the direction or controls a terminal; tabs and line feeds are left to the layout
const hidden = /(?![\t\n])\p{Cc}|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\ufff9-\ufffb\u2800]/u;
const spaces = /(?! )\p{Zs}/u;
// a joiner or a variation selector inside an emoji is how the emoji is written
const emoji =
  /\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\u{1f3fb}|\u{1f3fc}|\u{1f3fd}|\u{1f3fe}|\u{1f3ff})?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?)*|[0-9#*]\ufe0f?\u20e3/u;

const inProse = new RegExp(`(${emoji.source})|(${hidden.source})`, "gu");
const inCode = new RegExp(`((?!))|(${hidden.source}|${spaces.source})`, "gu");

/** @param {{char: string}} props */
function Mark({ char }) {
  const point = char.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const [short, what] = names[point] ?? [code, point < 0xa0 ? "control character" : "invisible character"];
  return html`<span class="mark" title=${`${code}, ${what}`}><span aria-hidden="true">${short}</span><span class="vh"
    >${what}, ${code}</span></span>`;
}

/**
 * @param {string} text
 * @param {{code?: boolean}} [how] `code`: also spaces that are no plain space, and joiners inside emoji
 * @returns {any} text and marks, ready to stand in a template
 */
export function marked(text, { code = false } = {}) {
  const find = code ? inCode : inProse;
  if (!hidden.test(text) && !(code && spaces.test(text))) return text;
  /** @type {unknown[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(find)) {
    if (found[1]) continue;
    if (found.index > from) parts.push(text.slice(from, found.index));
    parts.push(html`<${Mark} char=${found[2] ?? ""} />`);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The first `most` characters as a reader counts them; never half of one.
 * @param {string} text @param {number} most
 */
export function cut(text, most) {
  if (text.length <= most) return text;
  let end = 0;
  let count = 0;
  for (const one of graphemes.segment(text)) {
    if (count === most) return text.slice(0, end);
    end = one.index + one.segment.length;
    count += 1;
  }
  return text;
}
