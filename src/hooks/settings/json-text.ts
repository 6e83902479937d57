// JSON as people and clients write it into settings: comments, trailing commas, a byte-order mark. It is read with the
// line of a mistake, and changed at one place, so that every other byte and every comment stays where it is.
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { Unusable } from "./problem.ts";

export type Path = ReadonlyArray<string | number>;

/** Without the byte-order mark, which no client but an editor reads. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

/** @throws Unusable where the text is no JSON object, or one of its objects has a key twice */
export function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first || !root) throw new Unusable(`it is not JSON (line ${lineAt(text, first?.offset ?? 0)})`, "mend that line");
  if (root.type !== "object") throw new Unusable(`it is ${kindOf(root)}, not a JSON object`, "make it an object");
  noKeyTwice(root, text);
  return root;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** Clients take the last of two, and some the first: what is written to one might not count. */
function noKeyTwice(node: Node, text: string): void {
  const seen = new Map<unknown, number>();
  for (const child of node.children ?? []) {
    if (child.type !== "property") {
      noKeyTwice(child, text);
      continue;
    }
    const [key, value] = child.children ?? [];
    const line = lineAt(text, child.offset);
    const before = seen.get(key?.value);
    if (before !== undefined)
      throw new Unusable(
        `the key ${JSON.stringify(key?.value)} stands twice in one object (lines ${before} and ${line})`,
        "take one of the two out",
      );
    seen.set(key?.value, line);
    if (value) noKeyTwice(value, text);
  }
}

const kindOf = ({ type, value }: Node): string =>
  type === "null" ? "null" : type === "array" ? "a list" : type === "object" ? "an object" : `the ${type} ${value}`;

/** The text with a value at a place; the objects on the way are made where they are missing. */
export function put(text: string, at: Path, value: unknown): string {
  let node = treeOf(text);
  for (const [depth, field] of at.entries()) {
    const found = childOf(node, field);
    if (found) {
      node = found;
      continue;
    }
    const list = typeof field === "number";
    if (node.type !== (list ? "array" : "object"))
      throw new Unusable(
        `${JSON.stringify(at.slice(0, depth).join("."))} is ${kindOf(node)}, not ${list ? "a list" : "an object"}`,
        `make it ${list ? "a list" : "an object"} or take it out`,
      );
    const rest = at.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    return insert(text, node, list ? null : String(field), rest);
  }
  const written = onOneLine(text, node.parent?.parent ?? node)
    ? compact(value)
    : spread(value, unitOf(text), indentAt(text, node.offset), lineEnd(text));
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** The text without what stands at a place, without its comma, and without its line where nothing is left on it. */
export function taken(text: string, at: Path): string {
  const value = at.reduce<Node | undefined>((node, field) => node && childOf(node, field), treeOf(text));
  const entry = value?.parent?.type === "property" ? value.parent : value;
  if (!entry?.parent) return text;
  const close = entry.parent.offset + entry.parent.length - 1;
  const end = entry.offset + entry.length;
  const before = entry.parent.children?.[entry.parent.children.indexOf(entry) - 1];
  const comma = commaIn(text, end, close) ?? (before && commaIn(text, before.offset + before.length, entry.offset));
  const gone = new Set([comma, ...Array.from({ length: entry.length }, (_, n) => entry.offset + n)]);
  const from = text.lastIndexOf("\n", entry.offset - 1) + 1;
  const to = text.indexOf("\n", end) + 1 || text.length;
  const left = [...text.slice(from, to)].filter((_, n) => !gone.has(from + n)).join("");
  const rest = left.trim() === "" && text.slice(from, to).includes("\n") ? "" : left;
  const ahead =
    comma !== undefined && comma < from ? text.slice(0, comma) + text.slice(comma + 1, from) : text.slice(0, from);
  return ahead + rest + text.slice(to);
}

/** Where the comma stands between two offsets, comments passed over. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const blanked = text.slice(from, to).replace(comments, (comment) => " ".repeat(comment.length));
  const found = blanked.indexOf(",");
  return found < 0 ? undefined : from + found;
}

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

function childOf(node: Node, field: string | number): Node | undefined {
  if (typeof field === "number") return node.type === "array" ? node.children?.[field] : undefined;
  if (node.type !== "object") return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === field)?.children?.[1];
}

/** Behind the last entry and all comments that follow it, in the way the container is written. */
function insert(text: string, container: Node, key: string | null, value: unknown): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = last ? last.offset + last.length : container.offset + 1;
  const between = text.slice(end, close);
  const comma = last && commaIn(text, end, close) === undefined ? "," : "";
  const trivia = between.trimEnd();
  const name = key === null ? "" : `${JSON.stringify(key)}: `;
  const eol = lineEnd(text);
  const unit = unitOf(text);
  const base = indentAt(text, close);
  const one = last ? onOneLine(text, container) : text.trim() !== "{}" && !text.trim().includes("\n");
  if (one) {
    const tail = last || trivia ? between.slice(trivia.length) : "";
    const gap = last || tail ? tail : " ";
    return `${text.slice(0, end)}${comma}${trivia} ${name}${compact(value)}${gap}${text.slice(close)}`;
  }
  // `[{ … }]` over several lines: the next entry begins where the last one ends.
  if (last && !between.slice(trivia.length).includes("\n") && !trivia.includes("//"))
    return `${text.slice(0, end)}${comma}${trivia} ${name}${spread(value, unit, base, eol)}${between.slice(trivia.length)}${text.slice(close)}`;
  const indent = last ? indentAt(text, last.offset) : base + unit;
  const written = `${name}${spread(value, unit, indent, eol)}`;
  return `${text.slice(0, end)}${comma}${trivia}${eol}${indent}${written}${eol}${base}${text.slice(close)}`;
}

const onOneLine = (text: string, { offset, length }: Node): boolean =>
  !text.slice(offset, offset + length).includes("\n");

/** The blanks that the line of this offset begins with. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";

const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
const compact = (value: unknown): string => JSON.stringify(value, null, 1).replace(/\n */g, " ");
const spread = (value: unknown, unit: string, indent: string, eol: string): string =>
  JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
