// Names that an agent may not have, since it could be taken for a person, for Parley, or for the reader (G4).
import { skeletonOf } from "./skeleton.ts";

const reserved =
  "owner human person user admin administrator root system parley everyone all nobody you me approver operator server".split(
    " ",
  );
/** Words that leave a reserved name what it is: HumanOverseer, the_owner, real-human-1. */
const generic =
  "the a an my your our this that is real true actual only new main head chief lead super senior boss manager supervisor overseer reviewer in charge mr mrs ms dr team staff account".split(
    " ",
  );

const skeletons = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(skeletonOf));
const isReservedWord = skeletons(reserved);
const isGeneric = skeletons(generic);

/** Two such words written as one, as `humanoverseer` and `rootuser`; short ones are left, which stand in many names. */
const joined = skeletons(
  reserved
    .filter((word) => word.length > 3)
    .flatMap((word) =>
      [...reserved, ...generic].filter((other) => other.length > 3).flatMap((other) => [word + other, other + word]),
    ),
);

/** The words of a name: between spaces and signs, at capitals (`HumanOverseer`), and before digits (`human1`). */
const wordsOf = (name: string): string[] =>
  name
    .normalize("NFKC")
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ")
    .split(/[ ._-]+/)
    .filter(Boolean);

/** Whether an agent may not be called so: a reserved name, or one made of reserved words, generic ones and numbers. */
export function isReserved(name: string): boolean {
  if (isReservedWord.has(skeletonOf(name)) || joined.has(skeletonOf(name))) return true;
  const words = wordsOf(name).filter((word) => !/^\p{N}+$/u.test(word));
  const known = words.map(skeletonOf);
  const means = (word: string) => isReservedWord.has(word) || joined.has(word);
  return known.some(means) && known.every((word) => means(word) || isGeneric.has(word));
}
