// Parley's part of a JSON settings file: put in, or looked for. What comes out is read again before it is believed.
import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { type Path, put, taken, treeOf, withoutMark } from "./json-text.ts";
import type { EntryPiece, JsonPiece } from "./piece.ts";
import { Unusable } from "./problem.ts";

type Json = Record<string, unknown>;

/** What a JSON settings file says; an empty one is an empty object. */
export function readJson(text: string): Json {
  treeOf(whole(text));
  return parse(whole(text), [], { allowTrailingComma: true }) as Json;
}

const whole = (text: string): string => (withoutMark(text).trim() === "" ? "{}\n" : withoutMark(text));

/** @throws Unusable where the text is no JSON object, or where something else stands at Parley's place */
export function putJson(text: string, piece: JsonPiece): string {
  const before = readJson(text);
  const now = piece.kind === "value" ? withValue(text, before, piece) : withEntry(text, before, piece);
  if (now !== text && !isDeepStrictEqual(others(readJson(now), piece), others(before, piece)))
    throw new Unusable("something else in it would change", "put Parley's part in by hand");
  return now;
}

function withValue(text: string, before: Json, piece: JsonPiece & { kind: "value" }): string {
  const found = valueAt(before, piece.at);
  if (isDeepStrictEqual(found, piece.value)) return text;
  if (found !== undefined && !piece.ours(found))
    throw new Unusable(
      `its ${JSON.stringify(piece.at.join("."))} is not what parley connect wrote`,
      "take it out or give it another name",
    );
  return piece.value === undefined ? taken(whole(text), piece.at) : put(whole(text), piece.at, piece.value);
}

/** One entry, in the place of the first that is Parley's; others of Parley's go. */
function withEntry(text: string, before: Json, piece: EntryPiece): string {
  const list = valueAt(before, piece.at);
  if (list === undefined) return put(whole(text), piece.at, [piece.value]);
  if (!Array.isArray(list))
    throw new Unusable(`its ${JSON.stringify(piece.at.join("."))} is not a list`, "make it a list or take it out");
  const [first, ...more] = placesOf(list, piece).sort((a, b) => a.length - b.length);
  const whole1 = first?.length === 1 ? first : null;
  const gone = whole1 ? more : [...(first ? [first] : []), ...more];
  if (whole1 && gone.length === 0 && isDeepStrictEqual(list[Number(whole1[0])], piece.value)) return text;
  const at = whole1 ? Number(whole1[0]) : list.length;
  const filled = put(whole(text), [...piece.at, at], piece.value);
  const fromBehind = gone.sort((a, b) => Number(b[0]) - Number(a[0]) || Number(b[2]) - Number(a[2]));
  return fromBehind.reduce((now, place) => taken(now, [...piece.at, ...place]), filled);
}

/** Where Parley's entries stand in a list: a whole entry, or a hook inside another one's. */
function placesOf(list: readonly unknown[], { ours }: EntryPiece): Path[] {
  return list.flatMap((entry, at): Path[] => {
    if (ours(entry)) return [[at]];
    return hooksOf(entry).flatMap((hook, inner): Path[] => (ours(hook) ? [[at, "hooks", inner]] : []));
  });
}

const hooksOf = (entry: unknown): unknown[] => {
  const { hooks } = (entry ?? {}) as { hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [];
};

/** Whether anything of this piece is there, right or not. */
export function hasJson(text: string, piece: JsonPiece): boolean {
  const found = valueAt(readJson(text), piece.at);
  if (piece.kind === "value") return found !== undefined && piece.ours(found);
  return Array.isArray(found) && placesOf(found, piece).length > 0;
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(root: unknown, at: readonly string[]): unknown {
  let value = root;
  for (const field of at) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = (value as Json)[field];
  }
  return value;
}

/** What is there besides the piece, and besides what became empty without it. */
function others(root: Json, piece: JsonPiece): unknown {
  const without = (value: unknown, at: readonly string[]): unknown => {
    const [field, ...rest] = at;
    if (field === undefined) return piece.kind === "value" ? undefined : listWithout(value, piece);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, key === field ? without(inner, rest) : inner]);
    const left = entries.filter(([, inner]) => inner !== undefined);
    return left.length === 0 ? undefined : Object.fromEntries(left);
  };
  return without(root, piece.at);
}

function listWithout(list: unknown, { ours }: EntryPiece): unknown {
  if (!Array.isArray(list)) return list;
  const left = list
    .filter((entry) => !ours(entry))
    .map((entry) =>
      hooksOf(entry).some(ours) ? { ...(entry as Json), hooks: hooksOf(entry).filter((hook) => !ours(hook)) } : entry,
    );
  return left.length === 0 ? undefined : left;
}
