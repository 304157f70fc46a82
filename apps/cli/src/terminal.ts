/** Writes a line of result to standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line about what is going on to standard error, so that `--json` output stays clean. */
export function progress(line: string): void {
  process.stderr.write(`latch: ${line}\n`);
}

/** Lines of text columns, each as wide as its widest cell; the first row is the heading. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
