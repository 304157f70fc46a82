/**
 * Pins what a field means: `z.boolean().describe('…').meta(pinned('…'))`. The words stand in the published schema as `x-meaning`, and a later release in which
 * they differ or are gone is refused as a change of meaning (SPEC-012 section 14). For the few fields on whose meaning the safety of a transaction rests;
 * a description may be reworded, this may not.
 */
export function pinned(meaning: string): { readonly 'x-meaning': string } {
  return { 'x-meaning': meaning };
}
