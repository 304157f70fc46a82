const shortestStem = 3;

/**
 * A light stem: the first of the language's endings that leaves at least three letters is cut off, so that "cancela", "cancelar" and "cancelamento" meet. It is
 * for comparing words with words of the configuration, never for telling meanings apart.
 *
 * @param endings the language's endings, longest first.
 */
export function stemOf(word: string, endings: readonly string[]): string {
  if (word.length <= shortestStem) return word;
  for (const ending of endings) {
    if (word.length - ending.length >= shortestStem && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}
