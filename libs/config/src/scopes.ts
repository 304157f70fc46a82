/** What a credential may be for; the names that stand in `scope` of a token and in `scopes` of an API key. */
export const scopes = ['speak', 'speak-for-others', 'read', 'operate', 'evaluate'] as const;

/** One of them. */
export type Scope = (typeof scopes)[number];

/** What each allows, for people. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  speak: 'send messages as its own user',
  'speak-for-others': 'send messages as any user of its tenant: for a gateway that knows its users',
  read: 'read the turns, conversations, transactions and evidence of its tenant',
  operate: 'read what the console shows of its tenant',
  evaluate: 'read the evaluations of its tenant',
};

/** Whether a word is one of them. */
export function isScope(word: string): word is Scope {
  return scopes.some((scope) => scope === word);
}
