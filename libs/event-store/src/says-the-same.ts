/**
 * Whether two answers say the same, but for the order of members of objects. A member has a line of its own with what is indented below it, or stands with others in one
 * line, behind `; ` or ` · `. Members are compared whole. Blocks between blank lines and entries of a list have an order, which is compared.
 */
export function saysTheSame(stored: string, expected: string): boolean {
  const [told, text] = [stored.split('\n\n'), expected.split('\n\n')];
  return (
    told.length === text.length && told.every((block, index) => areSame(linesOf(block), linesOf(text[index] ?? '')))
  );
}

/** A line with those that are indented below it. */
type Line = { readonly text: string; readonly below: readonly Line[] };

function linesOf(block: string): readonly Line[] {
  return nested(block.split('\n'));
}

function nested(lines: readonly string[]): readonly Line[] {
  const found: { readonly text: string; readonly below: string[] }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && indentOf(line) > indentOf(last.text)) last.below.push(line);
    else found.push({ text: line, below: [] });
  }
  return found.map(({ text, below }) => ({ text: text.trim(), below: nested(below) }));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function areSame(stored: readonly Line[], expected: readonly Line[]): boolean {
  if (stored.length !== expected.length) return false;
  const [entries, left] = [stored.filter(isEntry), stored.filter((line) => !isEntry(line))];
  return expected.every((line) => {
    const among = isEntry(line) ? entries.slice(0, 1) : left;
    const match = among.find((one) => isSame(one, line));
    if (match === undefined) return false;
    const of = isEntry(line) ? entries : left;
    of.splice(of.indexOf(match), 1);
    return true;
  });
}

function isEntry({ text }: Line): boolean {
  return text.startsWith('- ');
}

function isSame(stored: Line, expected: Line): boolean {
  return isSameText(stored.text, expected.text) && areSame(stored.below, expected.below);
}

/**
 * From left to right: what is equal, then a part whose members are there in another order. That begins behind the name of a value and ends before the next one or with
 * the line; both lines have it in the same place, since an order changes no length.
 */
function isSameText(stored: string, expected: string): boolean {
  if (stored === expected) return true;
  if (stored.length !== expected.length) return false;
  const same = lengthOfSame(stored, expected);
  const begins = [0, ...placesOf(expected.slice(0, same), /^- |: |, | \(/g)];
  const ends = [
    expected.length,
    ...placesOf(expected, /(?=, |\))/g)
      .filter((end) => end > same)
      .reverse(),
  ];
  return begins.some((begin) =>
    ends.some(
      (end) =>
        membersOf(stored.slice(begin, end)) === membersOf(expected.slice(begin, end)) &&
        isSameText(stored.slice(end), expected.slice(end)),
    ),
  );
}

function lengthOfSame(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** The places behind each match. */
function placesOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
}

/** The members of one line as a text in which their order is no matter: the fields of each, then all. */
function membersOf(text: string): string {
  const sorted = text.split('; ').map((member) => member.split(' · ').sort().join(' · '));
  return sorted.sort().join('; ');
}
