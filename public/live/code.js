// @ts-check
// Takes a one-time sign-in code out of the address, before anything else runs.

/** @returns {string | null} */
function take() {
  const found = /^#link=(.+)$/.exec(location.hash);
  if (!found?.[1]) return null;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return found[1];
  }
}

let code = take();

export const codeOfLink = () => code;

export function forgetCode() {
  code = null;
}

/**
 * The code in what a person pasted: a whole link or the code alone.
 * @param {string} text
 */
export const codeIn = (text) => /#link=(.+)$/.exec(text.trim())?.[1] ?? text.trim();

/** All are told: whoever hears of the hash first has taken it out of the address. @type {Set<() => void>} */
const waiting = new Set();

addEventListener("hashchange", () => {
  const found = take();
  if (!found) return;
  code = found;
  for (const arrived of waiting) arrived();
});

/**
 * A link that is opened in a page which already stands changes only the hash.
 * @param {() => void} arrived
 * @returns {() => void} ends it
 */
export function onCode(arrived) {
  waiting.add(arrived);
  return () => {
    waiting.delete(arrived);
  };
}
