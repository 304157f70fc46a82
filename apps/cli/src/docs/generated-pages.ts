import { precedencePage } from './precedence-page.ts';

/** Every page of `docs/` that is made from the sources, by its path in the checkout; those of the contracts are beside them. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([['docs/reference/precedence.md', precedencePage()]]);
}
