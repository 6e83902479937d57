// How large an answer may be. One page of a list, and one record on it, have a bound in bytes; what is larger is
// fetched by itself.
import type { Result } from "./action.ts";

/** Bytes of JSON that the records of one page have together, at most. */
export const pageBytes = 256 * 1024;
/** Bytes of JSON that one field of a listed record has at most. */
export const fieldBytes = 4096;

/** Bytes of a value as JSON. */
export const sizeOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value) ?? "");

/** The first records that fit, and at least one where there are any: a page is never empty while more follows. */
export function fitting<T>(records: readonly T[], most = pageBytes): T[] {
  let size = 0;
  let count = 0;
  for (const record of records) {
    size += sizeOf(record);
    if (count > 0 && size > most) break;
    count += 1;
  }
  return records.slice(0, count);
}

/** The record without those of the named fields that are larger than `most` bytes; `left_out` names them. */
export function without(record: Result, fields: readonly string[], most = fieldBytes): Result {
  const left = fields.filter((field) => record[field] !== undefined && sizeOf(record[field]) > most);
  if (left.length === 0) return record;
  const rest = Object.entries(record).filter(([field]) => !left.includes(field));
  return { ...Object.fromEntries(rest), left_out: left };
}
