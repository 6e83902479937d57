// @ts-check
// How wide the page is: a phone, a tablet (the sheet is a column), or wide (three panes).
import { useEffect, useState } from "preact/hooks";

const tablet = matchMedia("(min-width: 45rem)");
const wide = matchMedia("(min-width: 70rem)");

export const isPhone = () => !tablet.matches;

/** @returns {"phone" | "tablet" | "wide"} */
const read = () => (wide.matches ? "wide" : tablet.matches ? "tablet" : "phone");

export function useWidth() {
  const [width, set] = useState(read);
  useEffect(() => {
    const look = () => set(read());
    tablet.addEventListener("change", look);
    wide.addEventListener("change", look);
    return () => {
      tablet.removeEventListener("change", look);
      wide.removeEventListener("change", look);
    };
  }, []);
  return width;
}
