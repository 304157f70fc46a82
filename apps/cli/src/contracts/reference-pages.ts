import { currentMajorOf, isRecord, jsonSchemaOf, type PublishedContract, publishedContracts } from '@latch/contracts';
import { type Schema } from './schema-narrowings.ts';

/** The reference of the contracts: path below `docs/reference/contracts/` -> Markdown. The same sources always give the same text. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ...publishedContracts.map((contract): [string, string] => [`${contract.name}.md`, pageOf(contract)]),
    ['README.md', index()],
  ]);
}

function index(): string {
  const rows = publishedContracts.map(
    ({ name, title, version, schema }) => `| [${title}](${name}.md) | \`${version}\` | ${cell(schema.description ?? '')} |`,
  );
  return `# Contracts

Generated from \`libs/contracts/src\` by \`npm run contracts:generate\`.

| contract | version | what it is |
|---|---|---|
${rows.join('\n')}

Each contract is versioned on its own. Within a major version a new field is optional, nothing required goes away, nothing accepts less than before and no meaning changes (SPEC-012 section 14);
\`npm run verify\` compares every contract with the last release and fails otherwise. A further enum value or a wider bound is let in only when the contract's changelog says so: who reads is upgraded
before who writes. What is pinned (\`x-meaning\`) may not even be reworded. A consumer keeps fields that it does not know. A message may name its version in \`contract_version\`, an HTTP
request also in the header \`X-Agent-Framework-Contract\`; an unknown major is refused with \`contract.unsupported_version\` (HTTP 422, or a dead letter on the bus).

The published schemas and examples are in [contracts/](../../../contracts/README.md).
`;
}

function pageOf({ name, title, major, version, schema, examples, changes }: PublishedContract): string {
  const json = jsonSchemaOf(schema);
  const folder = `../../../contracts/${name}/v${currentMajorOf(name) ?? major}`;
  const [example] = Object.entries(examples.valid);
  const shown = example ? `\n## Example\n\n\`${example[0]}\`:\n\n\`\`\`json\n${JSON.stringify(example[1], undefined, 2)}\n\`\`\`\n` : '';
  return `# ${title}

${String(json['description'])}

* Version: \`${version}\` ([schema](${folder}/schema.json), [changelog](${folder}/CHANGELOG.md))
* Source: ${String(json['x-source'])}

## Fields

| field | type | | meaning |
|---|---|---|---|
${rowsOf(json, '').join('\n')}

A field that is not listed is kept.
${shown}
## Examples

${list('Accepted', Object.keys(examples.valid), `${folder}/examples/valid`)}
${list('Refused', Object.keys(examples.invalid), `${folder}/examples/invalid`)}

## History

${changes.map(({ release, change }) => `* ${release}: ${change}`).join('\n')}
`;
}

function list(what: string, names: readonly string[], folder: string): string {
  return `* ${what}: ${names.map((example) => `[${example}](${folder}/${example}.json)`).join(', ')}`;
}

/** One row a field, nested ones after the one that holds them. */
function rowsOf(schema: Schema, path: string): readonly string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const required = Array.isArray(schema['required']) && schema['required'].includes(name) ? 'required' : '';
    return [`| \`${at}\` | ${typeOf(field)} | ${required} | ${meaningOf(field)} |`, ...nestedRows(field, at)];
  });
}

/** A field that may be null is described by its other alternative. Alternatives of a union are told apart in its type, not field by field. */
function nestedRows(field: Schema, path: string): readonly string[] {
  const plain = withoutNull(field);
  const items = plain['items'];
  return isRecord(items) ? rowsOf(withoutNull(items), `${path}[]`) : rowsOf(plain, path);
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = schema['properties'];
  if (!isRecord(properties)) return {};
  return Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, Schema] => isRecord(entry[1])));
}

function withoutNull(field: Schema): Schema {
  const others = alternativesOf(field).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only && others.length === 1 ? { ...only, ...field, anyOf: undefined } : field;
}

function alternativesOf({ anyOf, oneOf }: Schema): readonly Schema[] {
  return [anyOf, oneOf].filter((alternatives) => Array.isArray(alternatives)).flat().filter(isRecord);
}

function typeOf(field: Schema): string {
  const alternatives = alternativesOf(field);
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' or ');
  if ('const' in field) return `\`${JSON.stringify(field['const'])}\``;
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => `\`${String(value)}\``).join(', ');
  if (field['type'] === 'array') return `list of ${isRecord(field['items']) ? typeOf(field['items']) : 'anything'}`;
  if (field['type'] === 'object') return kindOfObject(field);
  const types = [field['type'] ?? 'anything'].flat();
  return `${types.join(' or ')}${limitsOf(field)}`;
}

function kindOfObject(field: Schema): string {
  const [discriminator] = Object.values(propertiesOf(field)).flatMap((property) => ('const' in property ? [property['const']] : []));
  return discriminator === undefined ? 'object' : `object \`${String(discriminator)}\``;
}

function limitsOf(field: Schema): string {
  const { format, minimum, maximum, maxLength } = field;
  if (format === 'date-time') return ' (ISO-8601 instant)';
  if (typeof maxLength === 'number') return `, at most ${maxLength}`;
  const isBounded = typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? ` ${minimum} to ${maximum}` : '';
}

function meaningOf(field: Schema): string {
  const plain = withoutNull(field);
  const examples = plain['examples'];
  const shown = Array.isArray(examples) ? ` Example: ${examples.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.` : '';
  const pinned = typeof plain['x-meaning'] === 'string' ? ` **Pinned:** ${plain['x-meaning']}` : '';
  const isPersonal = field['x-personal'] === true || plain['x-personal'] === true;
  const description = typeof plain['description'] === 'string' ? plain['description'] : '';
  return cell(`${description}${pinned}${shown}${isPersonal ? ' **Personal.**' : ''}`.trim());
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
