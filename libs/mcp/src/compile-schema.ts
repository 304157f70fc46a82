import { digest, failure, type Result, success } from '@latch/contracts';
import { type Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import ajvDraft07 from 'ajv';
import ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { boundedRun } from './bounded-run.ts';
import { boundsProblem } from './schema-bounds.ts';

/** One way in which a value does not fit a schema. */
export type SchemaProblem = {
  /** JSON Pointer to the place in the value; empty for the value itself. */
  readonly path: string;
  /** Such as "must be number". It names keys of the schema and never holds the value. */
  readonly message: string;
  /** The member of the value that is at fault, missing ones included; null when it is the value as a whole. */
  readonly parameter: string | null;
};

/** Checks a value. An empty list: it fits. Never throws and ends in bounded time; a value that cannot be checked in it does not fit. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];

const compileMs = 3_000;
const checkMs = 100;
const maxProblems = 20;
const maxKept = 500;
const kept = new Map<string, Result<SchemaCheck, string>>();

/**
 * Compiles the JSON Schema of a tool (2020-12, which is also meant where `$schema` says nothing, and draft-07), with formats.
 *
 * What a server writes is not trusted: a schema that is too large or too deep, that refers to another document, or whose patterns can run for ever is refused,
 * and both compiling and checking are ended by V8 when they take too long. Results are kept by digest, the newest 500 of them.
 *
 * @param found whether all problems are told (at most 20), for values of our own; or the first one, so that a large hostile value costs no more memory.
 * @returns the reason when the schema is not used; a tool with such a schema cannot be called safely.
 */
export function compileSchema(schema: unknown, found: 'all' | 'first' = 'all'): Result<SchemaCheck, string> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return failure('The schema is no object.');
  const document = { ...schema };
  const problem = boundsProblem(document);
  if (problem !== null) return failure(problem);
  const key = `${found} ${digest(document)}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const compiled = compile(document, found);
  // A busy machine is no property of the schema: a failure is worked out again.
  if (compiled.ok) keep(key, compiled);
  return compiled;
}

function keep(key: string, compiled: Result<SchemaCheck, string>): void {
  kept.set(key, compiled);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

function compile(
  { $schema, ...document }: Readonly<Record<string, unknown>>,
  found: 'all' | 'first',
): Result<SchemaCheck, string> {
  const ajv = ajvFor($schema ?? draft2020, found);
  if (ajv === null)
    return failure(`The schema is written in ${String($schema).slice(0, 200)}; 2020-12 and draft-07 are read.`);
  // A schema keeps nothing in Ajv once it is compiled.
  const compiled = boundedRun(() => ajv.compile(document), compileMs);
  ajv.removeSchema(document);
  if (!compiled.ok) return failure(`The schema cannot be compiled. ${compiled.error}`);
  const run = canTakeLong(document) ? boundedRun : runAtOnce;
  return success((value) => check(() => compiled.value(value), { run, validate: compiled.value }));
}

/** Whether the time of a check is not simply that of a look at each part of the value. Ending one that takes too long costs a thread, so only these may. */
function canTakeLong(document: Readonly<Record<string, unknown>>): boolean {
  return /"(?:pattern|patternProperties|format|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)":/.test(
    JSON.stringify(document),
  );
}

function runAtOnce<T>(work: () => T): Result<T, string> {
  return success(work());
}

type Checked = { readonly run: typeof boundedRun; readonly validate: ValidateFunction };

function check(work: () => unknown, { run, validate }: Checked): readonly SchemaProblem[] {
  const done = run(work, checkMs);
  if (!done.ok) return [{ path: '', message: `cannot be checked. ${done.error}`, parameter: null }];
  if (done.value === true) return [];
  return (validate.errors ?? []).slice(0, maxProblems).map(toProblem);
}

function toProblem({ instancePath, message, params }: ErrorObject): SchemaProblem {
  const named: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const [, first] = instancePath.split('/');
  const member = first?.replaceAll('~1', '/').replaceAll('~0', '~') ?? named;
  return {
    path: instancePath.slice(0, 500),
    message: (message ?? 'does not fit').slice(0, 500),
    parameter: typeof member === 'string' ? member : null,
  };
}

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const options: Options = {
  // Unknown keywords and formats are the server's own affair; nothing that is checked is changed.
  strict: false,
  logger: false,
  addUsedSchema: false,
  // A part that is referred to often must not be copied as often.
  inlineRefs: false,
  code: { regExp: Object.assign(toRegExp, { code: 'new RegExp' }) },
};

const makers: ReadonlyMap<string, (options: Options) => Ajv> = new Map([
  [draft2020, (of) => new ajv2020.Ajv2020(of)],
  ['https://json-schema.org/draft-07/schema', (of) => new ajvDraft07.Ajv(of)],
]);
const instances = new Map<string, Ajv>();

/** Made when first needed: the meta-schemas take a moment. They are trusted, and compiled here, so that the time of a server's schema is not spent on them. */
function ajvFor(dialect: unknown, found: 'all' | 'first'): Ajv | null {
  if (typeof dialect !== 'string') return null;
  const address = dialect.replace(/#$/, '').replace(/^http:/, 'https:');
  const make = makers.get(address);
  if (make === undefined) return null;
  const name = `${address} ${found}`;
  const known = instances.get(name);
  if (known !== undefined) return known;
  const ajv = addFormats.default(make({ ...options, allErrors: found === 'all' }));
  ajv.removeSchema(ajv.compile({}).schema);
  instances.set(name, ajv);
  return ajv;
}

/** Patterns are meant as Unicode; servers that escape more than it allows are read as they meant it. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern, flags.replace('u', ''));
  }
}
