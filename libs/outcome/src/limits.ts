/**
 * How much of an answer is read. Whatever passes a limit is refused by name (`tool.result_too_large`, `tool.result_unreadable`) and never
 * read in part: a verdict over half of the evidence would be an invented one.
 */
export const limits = {
  /** Entries of `results[]`. */
  results: 5_000,
  /** Characters of JSON in one text block. */
  jsonChars: 4 * 1024 * 1024,
  /** Values in the whole answer, counted over all levels. */
  values: 500_000,
  /** Levels of nesting; `canonicalJson` and the stores behind it stop at 200. */
  depth: 100,
  /** Content blocks. */
  blocks: 64,
  /** Characters of an error's text that are looked at. */
  errorChars: 4_000,
  /** Characters of an error's text that are passed on. */
  messageChars: 500,
  /** Entries of `partialResults` and `alternatives` that are passed on. */
  partials: 100,
} as const;
