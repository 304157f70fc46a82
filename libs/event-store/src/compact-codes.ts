/** Codes of ids; with `quoted` added they stand for the quotes around it too. */
export const codes = { uuid: 1, digest: 2, trace: 3, instant: 4, key: 5, sealed: 6, seen: 7 } as const;

/** What to add to the code of an id whose quotes belong to it. */
export const quoted = 0x18;

/** A known word; its number follows. */
export const wordCode = 0x0e;

/** A comma and a known word. */
export const wordAfterComma = 0x0f;

/** What often stands between a name and the next; each has a code of its own, from `firstLiteral` on. */
export const literals = ['null,', 'true,', 'false,', '[],', '{},'] as const;

/** The code of the first of them. */
export const firstLiteral = 0x10;

/** How many ids of a text can be named again. */
export const mostSeen = 256;
