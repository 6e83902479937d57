// Text as an index finds any part of it: each three characters that stand together. Both databases get the same words
// for it, so that a search finds the same on both, in any language, with blanks between its words or without.

/**
 * As a search compares: compatible forms are one, and so are upper and lower case. A Greek Σ has another lower case at
 * the end of a word (ς), so a part of a word would not be found in the whole word.
 */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/** A character as four of 0–9 and a–z, which both databases take as they are. */
const code = (character: string): string => (character.codePointAt(0) ?? 0).toString(36).padStart(4, "0");

/** Stands for the room, so that a search never reads what other rooms have. No character's code begins so. */
const roomWord = (room: string): string => `room${Buffer.from(room).toString("hex")}`;

function words(text: string): string[] {
  const codes = [...folded(text)].map(code);
  return codes.slice(0, Math.max(0, codes.length - 2)).map((_, at) => codes.slice(at, at + 3).join(""));
}

/** The words under which a task is found. */
export function gramsOf(room: string, texts: readonly string[]): string[] {
  // Two ends of line after each, so that its last characters begin a word too.
  return [roomWord(room), ...new Set(texts.flatMap((text) => words(`${text}\n\n`)))];
}

/** What a task must have that contains this text; a word with `begins` must only begin so. */
export function gramsFor(room: string, text: string): Array<{ word: string; begins: boolean }> {
  const characters = [...folded(text)];
  const wanted = characters.length < 3 ? [characters.map(code).join("")] : [...new Set(words(text))];
  return [{ word: roomWord(room), begins: false }, ...wanted.map((word) => ({ word, begins: characters.length < 3 }))];
}
