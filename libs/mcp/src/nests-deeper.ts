/** Levels of nesting that are passed on: the stores and canonical forms behind this client stop at 200, an envelope around the answer included. */
export const maxNesting = 150;

/** Whether a JSON value has more than so many levels of containers; walked without recursion, and no further than that. */
export function nestsDeeper(value: unknown, levels: number = maxNesting): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

function childrenOf(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((child) => typeof child === 'object' && child !== null);
}
