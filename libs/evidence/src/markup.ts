/** Text that is HTML already. It is made by `markup` and `join` alone, so that nothing else ever gets into a page unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** HTML from a template of ours: each value is escaped, unless it is HTML itself. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1] ?? '') + part));
}

/** Pieces of HTML one behind the other. */
export function join(pieces: readonly Html[]): Html {
  return new Html(pieces.map(({ text }) => text).join(''));
}

function textOf(value: string | number | Html): string {
  return value instanceof Html ? value.text : escape(String(value));
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? '');
}
