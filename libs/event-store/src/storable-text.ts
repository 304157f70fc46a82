/**
 * A text as a plain Postgres column holds it: U+0000 and lone surrogates, which users and tools may send and UTF-8 columns refuse, become the replacement
 * character. JSON needs none of this: its text escapes both.
 */
export function storableText(text: string): string {
  return unstorable.test(text) ? text.replaceAll(everyUnstorable, '\ufffd') : text;
}

const unstorable = /[\0\p{Surrogate}]/u;
const everyUnstorable = /[\0\p{Surrogate}]/gu;
