import { errorCatalogue, eventCatalogue, type PublishedContract, publishedContracts, topics } from '@latch/contracts';
import { openApiDocument } from '@latch/ingress/openapi';
import { z } from 'zod';

/** The published form of the contracts: path below `contracts/` -> text. The same sources always give the same text. */
export function publishedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...publishedContracts.map((contract): [string, string] => [schemaPathOf(contract), jsonText(schemaOf(contract))]),
    ['events/catalogue.json', jsonText(eventCatalogueDocument())],
    ['errors.json', jsonText(errorCatalogueDocument())],
    ['openapi.json', jsonText(openApiDocument())],
    ['README.md', readme()],
  ]);
}

function schemaPathOf({ name, version }: PublishedContract): string {
  return `${name}/${version.slice(name.length + 1)}/schema.json`;
}

/** JSON Schema 2020-12, open to unknown fields, as a producer must fill it in: what has a default may be left out. */
function schemaOf({ version, title, schema }: PublishedContract): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return { $schema, $id: `urn:latch:contract:${version}`, title, ...rest };
}

function eventCatalogueDocument(): object {
  const events = Object.entries(eventCatalogue).map(([type, entry]) => ({
    type,
    family: type.slice(0, type.indexOf('.')),
    ...entry,
  }));
  return { title: 'Event catalogue', topics, events };
}

function errorCatalogueDocument(): object {
  const errors = Object.entries(errorCatalogue).map(([code, meaning]) => ({ code, meaning }));
  return { title: 'Error codes', errors };
}

function readme(): string {
  const rows = publishedContracts.map((contract) => `| ${contract.title} | \`${contract.version}\` | [schema](${schemaPathOf(contract)}) |`);
  return `# Published contracts

Generated from the zod sources in \`libs/contracts/src\` by \`npm run contracts:generate\`; \`npm run verify\` fails when these files and the sources differ.
The schemas are JSON Schema 2020-12 and open: a consumer keeps fields that it does not know. Within a major version new fields are optional and nothing
required goes away; a change of meaning is a new major.

| contract | version | |
|---|---|---|
${rows.join('\n')}

* [events/catalogue.json](events/catalogue.json): every event type, what it means, its severity, payload, alert and runbook.
* [errors.json](errors.json): every stable error code and what to do about it.
* [openapi.json](openapi.json): the HTTP API of ingress, OpenAPI 3.1.
`;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
