// When two names look alike (UTS 39).
import { rectifyConfusion } from "unicode-confusables";

/** Case-folded: by way of capitals, so that ß is ss. */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();

/** Two names with the same skeleton look alike and cannot both exist. */
export const skeletonOf = (name: string): string =>
  rectifyConfusion(
    folded(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ""))
      .normalize("NFKC")
      .normalize("NFD"),
  )
    .normalize("NFD")
    .toLowerCase();

/**
 * The name with each letter of another script as the Latin letter that it looks like, before case is folded: many
 * capitals look alike where their small letters do not, as Cyrillic В and в.
 */
export const asLatin = (name: string): string =>
  name.normalize("NFKC").replace(/[^\0-\x7f]/gu, (letter) => rectifyConfusion(letter));

/** Whether two names look alike, as they are written or in another case. */
export function lookAlike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => [skeletonOf(name), skeletonOf(asLatin(name))]);
  return one?.some((form) => other?.includes(form)) ?? false;
}
