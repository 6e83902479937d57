// What commands print: results on stdout, as lines or a table, and words to a person on stderr.
import { shown } from "./shown.ts";

/** Raw into a file or a pipe, where programs read it; on a terminal nothing hidden stays hidden. */
export const out = (text: string): void => put(`${text}\n`);

/** The same without a line feed at the end. */
export const put = (text: string): void => void process.stdout.write(process.stdout.isTTY ? shown(text) : text);

/** What a person reads beside the result: never raw. */
export const tell = (text: string): void => void process.stderr.write(`${shown(text)}\n`);

/** Columns padded to line up; an empty table says so. */
export function table(heads: readonly string[], rows: ReadonlyArray<readonly unknown[]>): void {
  const lines = [heads, ...rows.map((row) => row.map((cell) => String(cell ?? "")))];
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  for (const line of lines)
    out(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
