// What exactly was asked and approved, as a digest over canonical JSON (G7, RFC 8785).
import canonicalize from "canonicalize";
import { sha256 } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import { asSeen } from "../visible.ts";

/** `sha256:` and the lower-case hex SHA-256 over the RFC 8785 form of any JSON value. */
export function digestOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Refusal("BAD_INPUT", "action must be JSON.");
  return `sha256:${sha256(text)}`;
}

/** Two questions without an action are the same when they look the same: blanks and invisible characters apart. */
export const digestOfWords = (asked: { title: string; details: string; options: readonly string[] }): string =>
  digestOf({ title: asSeen(asked.title), details: asSeen(asked.details), options: asked.options.map(asSeen) });

/** Limits of an action: bytes of its JSON text. */
const actionLimit = 512 * 1024;

/** An action as it may be asked for: JSON of at most 512 KiB, well-formed, no NUL. */
export function checkAction(action: unknown): void {
  const text = JSON.stringify(action);
  if (text === undefined) throw new Refusal("BAD_INPUT", "action must be JSON.");
  if (Buffer.byteLength(text) > actionLimit)
    throw new Refusal("BAD_INPUT", "action must be at most 512 KiB of JSON; it is never cut. Ask for less at once.");
  // JSON.stringify writes lone surrogates and NUL as escapes, and a backslash of the text itself as two.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89ab][0-9a-f]{2}|d[c-f][0-9a-f]{2})/i.test(text))
    throw new Refusal("BAD_INPUT", "action must be well-formed Unicode without NUL.");
}
