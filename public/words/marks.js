// @ts-check
// Makes every character visible that would otherwise change what a text seems to say: bidirectional controls,
// invisible ones, control characters, spaces that are none. Nothing is removed.
import { html } from "htm/preact";

/** @type {Record<number, [string, string]>} code point → what is written in its place, and what it is */
const names = {
  0x00: ["NUL", "null character"],
  0x07: ["BEL", "bell"],
  0x08: ["BS", "backspace: would delete what stands before it"],
  0x0d: ["CR", "carriage return: would overwrite the line"],
  0x1b: ["ESC", "escape: begins a terminal command"],
  0x7f: ["DEL", "delete"],
  0x85: ["NEL", "next line"],
  0xa0: ["NBSP", "no-break space"],
  0xad: ["SHY", "soft hyphen"],
  0x034f: ["CGJ", "combining grapheme joiner"],
  0x061c: ["ALM", "Arabic letter mark"],
  0x115f: ["HCF", "Hangul choseong filler"],
  0x1160: ["HJF", "Hangul jungseong filler"],
  0x180e: ["MVS", "Mongolian vowel separator"],
  0x200b: ["ZWSP", "zero width space"],
  0x200c: ["ZWNJ", "zero width non-joiner"],
  0x200d: ["ZWJ", "zero width joiner"],
  0x200e: ["LRM", "left-to-right mark"],
  0x200f: ["RLM", "right-to-left mark"],
  0x2028: ["LS", "line separator"],
  0x2029: ["PS", "paragraph separator"],
  0x202a: ["LRE", "left-to-right embedding"],
  0x202b: ["RLE", "right-to-left embedding"],
  0x202c: ["PDF", "pop directional formatting"],
  0x202d: ["LRO", "left-to-right override"],
  0x202e: ["RLO", "right-to-left override: would turn the text round"],
  0x2060: ["WJ", "word joiner"],
  0x2061: ["FA", "function application"],
  0x2062: ["IT", "invisible times"],
  0x2063: ["IS", "invisible separator"],
  0x2064: ["IP", "invisible plus"],
  0x2066: ["LRI", "left-to-right isolate"],
  0x2067: ["RLI", "right-to-left isolate"],
  0x2068: ["FSI", "first strong isolate"],
  0x2069: ["PDI", "pop directional isolate"],
  0x3000: ["IDSP", "ideographic space"],
  0x3164: ["HF", "Hangul filler"],
  0xfeff: ["BOM", "byte order mark, zero width"],
  0xffa0: ["HHF", "halfwidth Hangul filler"],
};

// Cf, Cc, Zl, Zp and the like that draw nothing; tabs and line feeds are left to the layout
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
// a joiner or a variation selector inside an emoji is how the emoji is written
const emoji = /\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\u{1f3fb}|\u{1f3fc}|\u{1f3fd}|\u{1f3fe}|\u{1f3ff})?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?)*|[0-9#*]\ufe0f?\u20e3/u;

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
