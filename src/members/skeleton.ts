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
