import { type AgentConfig, type IntentConfig, type ToolConfig } from '@latch/contracts';
import { stemsOf } from './extract-text.ts';
import { foldWords } from './fold-text.ts';
import { type Language, languageOf, stemIn } from './language.ts';

/** An example sentence: the words that carry it, and the parameters that it leaves open. */
export type Template = {
  readonly intent: number;
  readonly elements: readonly TemplateElement[];
  /** Number of literal words, those without weight not counted. */
  readonly literals: number;
  readonly hasPlaceholder: boolean;
};

export type TemplateElement =
  { readonly kind: 'literal'; readonly stem: string } | { readonly kind: 'parameter'; readonly name: string };

/** A keyword or phrase of an intent, as stems. */
export type Keyword = { readonly intent: number; readonly stems: readonly string[] };

/** An example as a bag of stems. */
export type Bag = { readonly intent: number; readonly stems: ReadonlySet<string>; readonly weight: number };

/** An intent with the tool that it starts. */
export type CompiledIntent = { readonly config: IntentConfig; readonly tool: ToolConfig | null };

/** One agent's routing configuration, compiled once per configuration object. */
export type CompiledAgent = {
  readonly language: Language;
  readonly intents: readonly CompiledIntent[];
  /** Examples by their first literal word. */
  readonly templatesByStem: ReadonlyMap<string, readonly Template[]>;
  /** Those among them that begin with something left open, so that their first literal word may stand anywhere. */
  readonly openTemplatesByStem: ReadonlyMap<string, readonly Template[]>;
  readonly keywordsByStem: ReadonlyMap<string, readonly Keyword[]>;
  readonly bagsByStem: ReadonlyMap<string, readonly Bag[]>;
  /** The greatest weight of an example. */
  readonly heaviestBag: number;
  /** How much a stem says: rare ones say more. A stem that no intent knows says as much as the rarest. */
  readonly weightOf: (stem: string) => number;
  /** Whether an example or a keyword has the stem. */
  readonly isKnown: (stem: string) => boolean;
  readonly domainStems: ReadonlySet<string>;
  /** Stems that alone interrupt nothing: those of the domain, and those that any question begins with ("qual o valor?"). */
  readonly genericStems: ReadonlySet<string>;
};

const compiled = new WeakMap<AgentConfig, CompiledAgent>();

/** The compiled form of an agent. */
export function compileAgent(agent: AgentConfig): CompiledAgent {
  const known = compiled.get(agent);
  if (known !== undefined) return known;
  const fresh = compile(agent);
  compiled.set(agent, fresh);
  return fresh;
}

function compile(agent: AgentConfig): CompiledAgent {
  const language = languageOf(agent.locale);
  const intents = agent.intents.map((config) => ({ config, tool: toolOf(agent, config) }));
  const templates = agent.intents.flatMap((config, intent) =>
    config.examples.map((text) => compileTemplate(text, intent, language)),
  );
  const keywords = agent.intents.flatMap((config, intent) =>
    config.keywords.map((text) => ({ intent, stems: contentStems(text, language) })),
  );
  const { weightOf, isKnown } = weigh(agent, language);
  const bags = templates.map((template) => bagOf(template, weightOf));
  const domainStems = new Set(agent.domainWords.flatMap((word) => contentStems(word, language)));
  return {
    language,
    intents,
    templatesByStem: groupBy(templates, firstLiterals),
    openTemplatesByStem: groupBy(templates.filter(beginsOpen), firstLiterals),
    keywordsByStem: groupBy(keywords, (keyword) => keyword.stems.slice(0, 1)),
    bagsByStem: groupBy(bags, (bag) => [...bag.stems]),
    heaviestBag: bags.reduce((most, { weight }) => Math.max(most, weight), 0),
    weightOf,
    isKnown,
    domainStems,
    genericStems: new Set([...domainStems, ...stemsOf(language.lexicon.question, language)]),
  };
}

function toolOf(agent: AgentConfig, config: IntentConfig): ToolConfig | null {
  return config.tool !== null && Object.hasOwn(agent.tools, config.tool) ? (agent.tools[config.tool] ?? null) : null;
}

/** The stems of a text, without words that carry nothing. A text of such words alone keeps them all. */
export function contentStems(text: string, language: Language): readonly string[] {
  const words = foldWords(text);
  const content = words.filter((word) => !language.stopWords.has(word));
  return (content.length > 0 ? content : words).map((word) => stemIn(language, word));
}

const placeholder = /\{([A-Za-z_][A-Za-z0-9_]{0,63})\}/;

function compileTemplate(text: string, intent: number, language: Language): Template {
  const elements: TemplateElement[] = [];
  text.split(placeholder).forEach((part, index) => {
    if (index % 2 === 1) elements.push({ kind: 'parameter', name: part });
    else elements.push(...literalsOf(part, language));
  });
  const literals = elements.filter((element) => element.kind === 'literal').length;
  return { intent, elements, literals, hasPlaceholder: literals < elements.length };
}

function literalsOf(text: string, language: Language): readonly TemplateElement[] {
  return foldWords(text)
    .filter((word) => !language.stopWords.has(word))
    .map((word) => ({ kind: 'literal' as const, stem: stemIn(language, word) }));
}

function firstLiterals(template: Template): readonly string[] {
  const first = template.elements.find((element) => element.kind === 'literal');
  return first === undefined ? [] : [first.stem];
}

function beginsOpen({ elements: [first] }: Template): boolean {
  return first?.kind === 'parameter';
}

function bagOf(template: Template, weightOf: (stem: string) => number): Bag {
  const stems = new Set(template.elements.flatMap((element) => (element.kind === 'literal' ? [element.stem] : [])));
  return { intent: template.intent, stems, weight: [...stems].reduce((sum, stem) => sum + weightOf(stem), 0) };
}

function weigh(agent: AgentConfig, language: Language): Pick<CompiledAgent, 'weightOf' | 'isKnown'> {
  const spread = new Map<string, number>();
  for (const config of agent.intents) {
    const texts = [...config.keywords, ...config.examples.map((text) => text.replaceAll(/\{\w+\}/g, ' '))];
    for (const stem of new Set(texts.flatMap((text) => contentStems(text, language)))) {
      spread.set(stem, (spread.get(stem) ?? 0) + 1);
    }
  }
  const weights = new Map([...spread].map(([stem, intents]) => [stem, Math.log(1 + agent.intents.length / intents)]));
  const rarest = Math.log(1 + agent.intents.length);
  return { weightOf: (stem) => weights.get(stem) ?? rarest, isKnown: (stem) => weights.has(stem) };
}

function groupBy<T>(entries: readonly T[], keysOf: (entry: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    for (const key of keysOf(entry)) groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
}
