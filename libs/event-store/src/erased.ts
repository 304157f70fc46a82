/** What a read gives in the place of a value that was erased: the value is gone for ever, its place is still told. */
export type Erased = { readonly erased: true };

/** The one marker of an erased value. */
export const erased: Erased = Object.freeze({ erased: true });

/** Whether a value that was read is the marker of an erased one. */
export function isErased(value: unknown): value is Erased {
  return (
    typeof value === 'object' &&
    value !== null &&
    'erased' in value &&
    value.erased === true &&
    Object.keys(value).length === 1
  );
}
