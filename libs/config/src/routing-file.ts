import { z } from 'zod';
import { type ConfigProblem } from './config-problem.ts';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { refuseTwoSpellings } from './policy-keys.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** One intent, before it is tied to an agent and to a tool. */
export type IntentEntry = {
  readonly intent: string;
  readonly route?: string;
  /** The domain whose agents have the intent; absent: every agent that does not choose its intents. */
  readonly domain?: string;
  /** Tools in the order of the file; the intent starts one of them. */
  readonly tools: readonly string[];
  readonly keywords: readonly string[];
  readonly examples: readonly string[];
  readonly reply?: string;
  /** Where the intent stands in its file. */
  readonly path: YamlPath;
};

/** `routing.yaml`. */
export type RoutingFile = readonly IntentEntry[];

/** Reads `routing.yaml`. `intents` is a list of entries with a `name` (or `intent`), or a map from name to entry. */
export function readRoutingFile(file: YamlFile): Parsed<RoutingFile> {
  const isList =
    typeof file.value === 'object' && file.value !== null && Array.isArray(Reflect.get(file.value, 'intents'));
  const parsed = parseSection(file, isList ? ListSchema : MapSchema);
  if (parsed.value === null) return parsed;
  return { value: parsed.value, problems: [...parsed.problems, ...repeatedIntents(file, parsed.value)] };
}

const shape = {
  description: z.string().optional(),
  domain: z.string().min(1).optional(),
  route: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  tool: Name.optional(),
  mcp_tools: z.array(Name).optional(),
  tools: z.array(Name).optional(),
  keywords: z.array(z.string().min(1)).default([]),
  examples: z.array(z.string().min(1)).default([]),
  reply: z.string().min(1).optional(),
};

const head = { version: z.unknown().optional() };

const ListSchema = section({
  ...head,
  intents: z.array(
    section({ name: Name.optional(), intent: Name.optional(), ...shape })
      .superRefine(refuseTwoSpellings(['route', 'agent']))
      .superRefine(refuseTwoSpellings(['name', 'intent']))
      .refine((keys) => (keys.name ?? keys.intent) !== undefined, {
        path: ['name'],
        error: 'is missing. Give the intent a name.',
      }),
  ),
}).transform(({ intents }): RoutingFile =>
  intents.map((keys, index) => toIntent(keys, { intent: keys.name ?? keys.intent ?? '', path: ['intents', index] })),
);

const MapSchema = section({
  ...head,
  intents: z.record(Name, section(shape).superRefine(refuseTwoSpellings(['route', 'agent']))).default({}),
}).transform(({ intents }): RoutingFile =>
  Object.entries(intents).map(([intent, keys]) => toIntent(keys, { intent, path: ['intents', intent] })),
);

function toIntent(
  keys: z.output<z.ZodObject<typeof shape>>,
  of: { readonly intent: string; readonly path: YamlPath },
): IntentEntry {
  return {
    ...of,
    route: keys.route ?? keys.agent,
    domain: keys.domain,
    tools: [...new Set([...(keys.tool === undefined ? [] : [keys.tool]), ...(keys.mcp_tools ?? keys.tools ?? [])])],
    keywords: keys.keywords,
    examples: keys.examples,
    reply: keys.reply,
  };
}

function repeatedIntents(file: YamlFile, intents: RoutingFile): ConfigProblem[] {
  const seen = new Set<string>();
  return intents.flatMap(({ intent, path }) => {
    if (!seen.has(intent)) {
      seen.add(intent);
      return [];
    }
    return [file.problem(path, `The intent "${intent}" stands here a second time. Merge the two, or rename one.`)];
  });
}
