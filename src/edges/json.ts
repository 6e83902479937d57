// JSON from outside. It is read here alone, so that no value gets in that ends the stack of whoever walks through it.
import { isUtf8 } from "node:buffer";

/** Levels of nesting that a message may have. The arguments of an action, which stand inside, may have 64. */
const deepest = 72;

/** What is nested too deep comes with its value: whoever reads on must not walk through it. */
type ReadJson = { value: unknown; wrong?: undefined } | { wrong: string; value?: unknown };

const deep = `is nested more than ${deepest} levels deep`;

/** One JSON text in UTF-8, or what is wrong with it: "is …", to stand behind a subject. */
export function readJson(said: Buffer | string): ReadJson {
  let value: unknown;
  try {
    if (typeof said !== "string" && !isUtf8(said)) throw new SyntaxError("not UTF-8");
    // Some programs put a byte order mark before it.
    value = JSON.parse(said.toString().replace(/^\uFEFF/, ""));
  } catch {
    return { wrong: "is not JSON in UTF-8" };
  }
  return isDeep(value) ? { wrong: deep, value } : { value };
}

/** What is wrong with a value that was parsed elsewhere, or null. */
export const wrongWith = (value: unknown): string | null => (isDeep(value) ? deep : null);

/** Level by level, without recursion. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
