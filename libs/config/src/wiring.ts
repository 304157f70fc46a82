/** A place in the outputs that a wired text names. */
export type Wiring = {
  readonly text: string;
  readonly root: string;
  readonly steps: readonly string[];
};

/** The ancestor's words for the arguments of the call and the outputs of steps. */
const spellings: Readonly<Record<string, string>> = { input: 'arguments', nodes: 'steps' };

/** Writes a wired text with our roots: `$.input.x` is `$.arguments.x`, `$.nodes.x` is `$.steps.x`. Any other text stays as it is. */
export function normalizeWiring(text: string): string {
  return text.replace(/^\$\.(input|nodes)(?=\.|$)/, (_, root: string) => `$.${spellings[root] ?? root}`);
}

/** Every wired text in an argument, at any depth. */
export function wiringsIn(value: unknown): readonly Wiring[] {
  if (typeof value === 'string') return value.startsWith('$.') ? [toWiring(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.flatMap(wiringsIn);
}

/** Takes a wired text apart. */
export function toWiring(text: string): Wiring {
  const [root = '', ...steps] = text.slice(2).split('.');
  return { text, root, steps };
}
