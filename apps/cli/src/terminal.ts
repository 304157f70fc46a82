import { reported } from '../../../deploy/local/stops.mjs';

/** Writes a line of result to standard output. What would move the cursor, or turn text around, is written as `\u001b`, which JSON reads as the same. */
export function print(line = ''): void {
  reported();
  process.stdout.write(`${shown(line)}\n`);
}

/** Writes lines of result. Each stays one, whatever it holds: what a message or a file says cannot pass for a line of ours. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) print(line.replaceAll('\n', '\\n'));
}

/** Writes a line about what is going on to standard error, so that `--json` output stays clean. */
export function progress(line: string): void {
  process.stderr.write(`latch: ${shown(line)}\n`);
}

/** Text of messages and tools comes from anybody: a terminal must not obey it. */
function shown(text: string): string {
  return text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters but for the ends of lines and tabs, and those that change the direction of writing. */
const obeyed = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines of text columns, each as wide as its widest cell; the first row is the heading. A cell is one line, whatever it holds. */
export function tableLines(table: readonly (readonly string[])[]): string[] {
  const rows = table.map((row) => row.map((cell) => cell.replaceAll('\n', '\\n')));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
