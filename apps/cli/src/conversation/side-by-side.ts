/** Puts two columns of text beside each other; the left one is wrapped to `width`. */
export function sideBySide(left: readonly string[], right: readonly string[], width: number): readonly string[] {
  const wrapped = left.flatMap((line) => wrap(line, width));
  const rows = Math.max(wrapped.length, right.length);
  return Array.from({ length: rows }, (_, row) =>
    `${(wrapped[row] ?? '').padEnd(width)}  │ ${right[row] ?? ''}`.trimEnd(),
  );
}

/** Breaks a text at blanks so that no line is longer than `width`, except for a word that is; lines after a "who> " are indented like it. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const indent = ' '.repeat(/^\S+> +/.exec(paragraph)?.[0].length ?? 0);
    const lines: string[] = [];
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1);
      if (last === undefined) lines.push(word);
      else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(indent + word);
    }
    return lines;
  });
}
