/** Puts two columns of text beside each other: the left one is wrapped to its width, the right one is cut where the line is full. */
export function sideBySide(
  left: readonly string[],
  right: readonly string[],
  widths: { readonly left: number; readonly total: number },
): readonly string[] {
  const wrapped = left.flatMap((line) => wrap(line, widths.left));
  const rows = Math.max(wrapped.length, right.length);
  return Array.from({ length: rows }, (_, row) => {
    const line = `${(wrapped[row] ?? '').padEnd(widths.left)}  │ ${right[row] ?? ''}`.trimEnd();
    return line.length > widths.total ? `${line.slice(0, widths.total - 1)}…` : line;
  });
}

/** Breaks a line at blanks so that none is longer than `width`, except for a word that is; what follows is indented like the text of the first. */
export function wrap(line: string, width: number): readonly string[] {
  const start = /^(\S+>? {2,}|\S+> | *)(- )?/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(start.length);
  const lines = [start];
  for (const word of line.slice(start.length).split(' ')) {
    const last = lines[lines.length - 1] ?? '';
    const isFirst = last.length === start.length;
    if (isFirst || last.length + 1 + word.length <= width)
      lines[lines.length - 1] = isFirst ? last + word : `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}
