// Text as a reader sees it: what shows nothing on a screen makes no text, and no other text either.

/** Characters without a glyph and without width: marks that are ignored in display, format and control characters. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Characters that show as a gap: white space, controls, and two glyphs that are empty (U+2800, U+1D159). */
const gaps = /[\s\p{Z}\p{Cc}\u2800\u{1d159}]+/gu;

/** True where a text shows nothing: it is empty, or all of it is blank or invisible. */
export const isBlank = (text: string): boolean => text.replace(unseen, "").replace(gaps, "") === "";

/** True where a text holds a character that shows nothing and takes no room, or one that only looks like a space. */
export const hidesSomething = (text: string): boolean =>
  text.search(unseen) >= 0 || /[\u2800\u{1d159}]|(?! )\p{Z}/u.test(text);

/** The same for texts that look the same: without invisible characters and blank ends, each gap one space. */
export const asSeen = (text: string): string => text.normalize("NFC").replace(unseen, "").replace(gaps, " ").trim();

/** Controls but tab and line feed, whatever shows nothing or turns the direction, and halves of surrogate pairs. */
const deceptive = /(?![\t\n])\p{Cc}|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\ufff9-\ufffb\u2800]/gu;

/** A text for a terminal: characters that would hide, move or turn other text are written as `<U+202E>`. */
export const forTerminal = (text: string): string =>
  text.replace(deceptive, (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`);
