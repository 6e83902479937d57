// What commands print: results on stdout, as lines or a table.

export const out = (text: string): void => void process.stdout.write(`${text}\n`);

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
