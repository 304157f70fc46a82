import { z } from 'zod';
import { type ExtractEntry, ExtractSchema } from './extract-schema.ts';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** How one tool takes its arguments from the business context. */
export type MappingEntry = {
  readonly map: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly idempotencyArgument?: string;
  readonly extract: Readonly<Record<string, ExtractEntry>>;
};

/** `mcp_parameter_mapping.yaml`. */
export type MappingFile = {
  /** Defaults of every tool that declares the argument. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly tools: Readonly<Record<string, MappingEntry>>;
  /** Where `tools` stands in the file: the root key may be left out. */
  readonly root: YamlPath;
};

/** Reads `mcp_parameter_mapping.yaml` (seeds/003 section 6.2), with or without its root key `mcp_parameter_mapping:`. */
export function readMappingFile(file: YamlFile): Parsed<MappingFile> {
  const isRooted = typeof file.value === 'object' && file.value !== null && rootKey in file.value;
  if (!isRooted) return parseSection(file, MappingSchema);
  const rooted = section({ version: z.unknown().optional(), [rootKey]: MappingSchema });
  return parseSection(
    file,
    rooted.transform((value): MappingFile => ({ ...value[rootKey], root: [rootKey] })),
  );
}

const rootKey = 'mcp_parameter_mapping';

const Mapping = section({
  map: z.record(z.string(), Name).default({}),
  defaults: z.record(Name, z.unknown()).default({}),
  idempotency_argument: Name.optional(),
  extract: z.record(Name, ExtractSchema).default({}),
}).transform((keys): MappingEntry => ({
  map: keys.map,
  defaults: keys.defaults,
  idempotencyArgument: keys.idempotency_argument,
  extract: keys.extract,
}));

const MappingSchema = section({
  version: z.unknown().optional(),
  defaults: z.record(Name, z.unknown()).default({}),
  tools: z.record(Name, Mapping).default({}),
}).transform(({ defaults, tools }): MappingFile => ({ defaults, tools, root: [] }));
