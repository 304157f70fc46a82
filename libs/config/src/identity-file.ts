import { z } from 'zod';
import { type Parsed, parseSection, section } from './parse-section.ts';
import { type YamlFile } from './yaml-file.ts';

/** BusinessContext keys that can be fed and mapped (SPEC-012 section 6). */
export const businessKeys = [
  'customer_key',
  'contract_key',
  'interaction_key',
  'account_key',
  'resource_key',
  'session_key',
] as const;

/** BusinessContext key -> paths inside the request's payload. */
export type IdentityRules = Readonly<Record<string, readonly string[]>>;

/** `identity.yaml`. */
export type IdentityFile = {
  readonly everywhere: IdentityRules;
  readonly channels: Readonly<Record<string, IdentityRules>>;
};

/** Reads `identity.yaml`: which fields of a channel's request feed the business context. */
export function readIdentityFile(file: YamlFile): Parsed<IdentityFile> {
  return parseSection(file, IdentitySchema);
}

const pathRule = 'must be the path of a field inside `payload`, such as context.ani or user_id.';

/** What the user writes is never who the user is. */
const written = ['message', 'inputs', 'tool_arguments'];

const Path = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*){0,9}$/, pathRule)
  .refine((path) => !written.includes(path.split('.')[0] ?? ''), {
    error: 'must not lead to what the user writes or fills in. Name a field that the channel sets.',
  });

const Paths = z.union([Path.transform((path) => [path]), z.array(Path).min(1)], {
  error: (issue) => unionError(issue.input),
});

function unionError(input: unknown): string {
  const [first] = Array.isArray(input) ? input : [input];
  const read = Path.safeParse(first);
  return read.success ? pathRule : (read.error.issues[0]?.message ?? pathRule);
}

const Rules = section(Object.fromEntries(businessKeys.map((key) => [key, Paths.optional()]))).transform(
  (keys): IdentityRules =>
    Object.fromEntries(Object.entries(keys).flatMap(([key, paths]) => (paths === undefined ? [] : [[key, paths]]))),
);

const IdentitySchema = section({
  version: z.unknown().optional(),
  business_context: Rules.default({}),
  channels: z.record(z.string().min(1).max(64), Rules).default({}),
}).transform(({ business_context, channels }): IdentityFile => ({ everywhere: business_context, channels }));
