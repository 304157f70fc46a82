import { type Service, services } from './telecom-data.ts';

/** What a name in the customer's words stands for. */
export type Resolved =
  | { readonly kind: 'found'; readonly said: string; readonly service: Service }
  | { readonly kind: 'unknown'; readonly said: string }
  | { readonly kind: 'ambiguous'; readonly said: string; readonly alternatives: readonly string[] };

/**
 * Reads an expression such as "TIM Fashion, Aya Audiobooks e Neymar Jr" as the services that it names, each once, in the order in which they are
 * named. A name that holds an " e " of its own ("Filmes e Séries") is tried whole before it is taken apart.
 */
export function resolveExpression(expression: string): Resolved[] {
  return unique(expression.split(/[,;\n]+/).flatMap(resolvePart));
}

/** Reads one name. */
export function resolveName(said: string): Resolved {
  const words = wordsOf(said);
  if (words.length === 0) return { kind: 'unknown', said };
  const exact = services.filter((service) => namesOf(service).some((name) => sameWords(wordsOf(name), words)));
  const [only, ...others] =
    exact.length > 0 ? exact : services.filter((service) => holdsAll(wordsOf(service.name), words));
  if (only === undefined) return { kind: 'unknown', said };
  if (others.length === 0) return { kind: 'found', said, service: only };
  return { kind: 'ambiguous', said, alternatives: [only, ...others].map(({ name }) => name) };
}

/** Drops the second mention of a service or of an unknown name. */
export function unique(resolved: readonly Resolved[]): Resolved[] {
  const byName = new Map<string, Resolved>();
  for (const entry of resolved) {
    const name = entry.kind === 'found' ? entry.service.name : wordsOf(entry.said).join(' ');
    if (!byName.has(name)) byName.set(name, entry);
  }
  return [...byName.values()];
}

function resolvePart(part: string): Resolved[] {
  const said = part.trim().replace(/^e\s+/i, '');
  if (wordsOf(said).length === 0) return [];
  return namesJoinedByAnd(said.split(/\s+e\s+/i));
}

/** Pieces of the catalogue name with the most " e " in it. */
const mostPieces = Math.max(...services.map(({ name }) => name.split(/\s+e\s+/i).length));

/** Joins neighbours again where together they are a name: "Neymar Jr e Filmes e Séries" is two services, not three. */
function namesJoinedByAnd(pieces: readonly string[]): Resolved[] {
  const found: Resolved[] = [];
  for (let start = 0; start < pieces.length;) {
    const lengths = Array.from({ length: Math.min(mostPieces, pieces.length - start) }, (_, index) => index + 1);
    const names = lengths.map((length) =>
      resolveName(
        pieces
          .slice(start, start + length)
          .join(' e ')
          .trim(),
      ),
    );
    const longest = names.findLastIndex(({ kind }) => kind === 'found');
    const [alone] = names;
    const taken = names[longest] ?? alone;
    if (taken !== undefined) found.push(taken);
    start += Math.max(longest, 0) + 1;
  }
  return found;
}

const fillers = new Set([
  'e',
  'o',
  'a',
  'os',
  'as',
  'de',
  'do',
  'da',
  'meu',
  'minha',
  'servico',
  'servicos',
  'produto',
  'produtos',
  'assinatura',
]);

/** Lower case, without accents, articles and words that say only "service". */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}.]+/gu) ?? []).filter((word) => !fillers.has(word));
}

function namesOf(service: Service): string[] {
  return [service.name, service.id, ...service.aliases];
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

function holdsAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.includes(word));
}
