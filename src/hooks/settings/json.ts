// Parley's part of a JSON settings file, comments allowed: put in, or looked for.
import { isDeepStrictEqual } from "node:util";
import { applyEdits, type JSONPath, modify, type ParseError, parse } from "jsonc-parser";
import type { EntryPiece, ValuePiece } from "./piece.ts";

type JsonPiece = ValuePiece | EntryPiece;

/** @throws where the text is not JSON, or holds something else where the piece belongs */
export function putJson(text: string, piece: JsonPiece): string {
  const root = read(text);
  const at: JSONPath = [...piece.at];
  if (piece.kind === "value")
    return isDeepStrictEqual(inside(root, piece.at), piece.value) ? text : edit(text, at, piece.value);
  const list = inside(root, piece.at);
  if (list === undefined) return edit(text, at, [piece.value]);
  if (!Array.isArray(list)) throw new Error(`${piece.at.join(".")} is not a list`);
  const ours = list.findIndex(piece.ours);
  if (ours < 0) return edit(text, [...at, list.length], piece.value, true);
  return isDeepStrictEqual(list[ours], piece.value) ? text : edit(text, [...at, ours], piece.value);
}

/** Whether anything of this piece is there, right or not. */
export function hasJson(text: string, piece: JsonPiece): boolean {
  const found = inside(read(text), piece.at);
  return piece.kind === "value" ? found !== undefined : Array.isArray(found) && found.some(piece.ours);
}

/** What stands at a place in a JSON text; undefined where nothing does. */
export const valueAt = (text: string, at: readonly string[]): unknown => inside(read(text), at);

function read(text: string): unknown {
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof root !== "object" || root === null || Array.isArray(root))
    throw new Error("it is not a JSON object");
  return root;
}

function inside(root: unknown, at: readonly string[]): unknown {
  let value = root;
  for (const field of at) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}

function edit(text: string, at: JSONPath, value: unknown, insert = false): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const formattingOptions = { insertSpaces: !indent.includes("\t"), tabSize: indent.length, eol: "\n" };
  const before = text.trim() === "" ? "{}\n" : text;
  return applyEdits(before, modify(before, at, value, { formattingOptions, isArrayInsertion: insert }));
}
