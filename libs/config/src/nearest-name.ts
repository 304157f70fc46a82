/**
 * The known name that a mistyped one most likely means.
 *
 * @returns null when nothing is near enough: more than a third of the letters differ.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (best === null || distance < best.distance) best = { name: candidate, distance };
  }
  return best !== null && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.name : null;
}

/** ` Did you mean "x"?`, or nothing when no known name is near. */
export function suggestName(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

/** Levenshtein distance, over names of at most 64 characters. */
function editDistance(a: string, b: string): number {
  const limit = 64;
  const [from, to] = [a.slice(0, limit), b.slice(0, limit)];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
