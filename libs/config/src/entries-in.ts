/** The entries of a comma-separated list; blanks around entries and empty entries are dropped. */
export function entriesIn(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
