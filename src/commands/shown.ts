// Text of others on a terminal: what would command it, turn a line round or show nothing is written out instead, so
// that a person sees what is there. Line feeds and tabs stay, and emoji stay as they are written.

const emoji =
  /\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}])?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?)*|[0-9#*]\ufe0f?\u20e3/u;
const hidden = /(?![\t\n])\p{Cc}|[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2800]/u;
const both = new RegExp(`(${emoji.source})|${hidden.source}`, "gu");

/** As `safe<U+001B>[8m`. */
export const shown = (text: string): string =>
  text.replace(both, (char, kept?: string) => kept ?? `<U+${codeOf(char)}>`);

const codeOf = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
