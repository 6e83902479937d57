// JSON that every program reads alike. A receipt is good for one action: a file that another program would read
// otherwise than it is read here is refused, before anything is compared.
import { visit } from "jsonc-parser";

/** Levels of nesting that a file may have. An action has 64 at most. */
const deepest = 72;

export type Exact = { value: unknown } | { wrong: string };

/** The value of a JSON text, or what is wrong with it: "is …" or "has …", to stand behind its name. */
export function exactJson(text: string): Exact {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: "is not JSON" };
  }
  const wrong = tooDeep(text) ? `is nested more than ${deepest} levels deep` : ambiguous(text);
  return wrong === null ? { value } : { wrong };
}

/** Brackets outside strings; without recursion, which deep nesting would end. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (part === "[" || part === "{") depth += 1;
    else if (part === "]" || part === "}") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** What programs read in different ways: a key twice, a number beyond a double, half a character. */
function ambiguous(text: string): string | null {
  const wrong: string[] = [];
  const open: Array<Set<string>> = [];
  const sound = (said: string) => {
    if (!said.isWellFormed()) wrong.push("has text that is not well-formed Unicode");
  };
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name) {
      sound(name);
      const seen = open.at(-1);
      if (seen?.has(name)) wrong.push(`has the key ${JSON.stringify(name.slice(0, 40))} twice`);
      seen?.add(name);
    },
    onLiteralValue(value, offset, length) {
      if (typeof value === "string") sound(value);
      const written = text.slice(offset, offset + length);
      if (typeof value === "number" && !isExact(written, value))
        wrong.push(`has a number that is not exactly representable: ${written.slice(0, 40)}`);
    },
  });
  return wrong[0] ?? null;
}

/** Whether a number says the same as it is written: not rounded, not beyond the range. */
const isExact = (written: string, value: number): boolean =>
  Number.isFinite(value) && plain(written) === plain(String(value));

/** Digits without zeros at the ends, and the exponent: `1.50e3` and `1500` are `15e2`. */
function plain(written: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
