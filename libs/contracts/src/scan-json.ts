/** What one pass over a JSON text tells that the parsed value does not show. */
export type JsonScan = {
  /** Names of members, each as often as it stands there. */
  readonly names: number;
  readonly depth: number;
  /** Whether some text may have a `\u` escape. */
  readonly hasUnicodeEscape: boolean;
};

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const lastWhitespace = 0x20;

/** What a byte outside of texts does to the depth: `{` and `[` open a level, `}` and `]` close one. */
const deeper = new Int8Array(256);
for (const byte of [0x7b, 0x5b]) deeper[byte] = 1;
for (const byte of [0x7d, 0x5d]) deeper[byte] = -1;

/** Scans the UTF-8 bytes of a text that JSON.parse has found well-formed, in linear time. Whatever counts here is ASCII. */
export function scanJson(bytes: Buffer): JsonScan {
  const hasEscapes = bytes.includes(backslash);
  let names = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== quote) {
      depth += deeper[byte] ?? 0;
      if (depth > deepest) deepest = depth;
      continue;
    }
    at = hasEscapes ? endOfEscapedText(bytes, at + 1) : endOfPlainText(bytes, at + 1);
    if (isNameEndingAt(bytes, at)) names += 1;
  }
  return { names, depth: deepest, hasUnicodeEscape: hasEscapes && bytes.includes('\\u') };
}

/** Up to so many bytes it is quicker to look than to have it looked for. */
const nearBytes = 24;

function endOfPlainText(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + nearBytes, bytes.length);
  for (let at = from; at < near; at += 1) if (bytes[at] === quote) return at;
  const end = bytes.indexOf(quote, near);
  return end < 0 ? bytes.length : end;
}

function endOfEscapedText(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether the text that ends with this quote is the name of a member. */
function isNameEndingAt(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while ((bytes[at] ?? colon) <= lastWhitespace) at += 1;
  return bytes[at] === colon;
}
