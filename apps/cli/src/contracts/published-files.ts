import {
  errorCatalogue,
  eventCatalogue,
  evidenceCatalogue,
  jsonSchemaOf,
  type PublishedContract,
  publishedContracts,
  topicCatalogue,
} from '@latch/contracts';
import { stringify } from 'yaml';
import { asyncApiDocument } from './asyncapi-document.ts';
import { openApiDocument } from './openapi-document.ts';

/** The published form of the contracts: path below `contracts/` -> text. The same sources always give the same text. */
export function publishedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...publishedContracts.flatMap(filesOf),
    ['events/catalogue.json', jsonText(eventCatalogueDocument())],
    ['errors.json', jsonText(errorCatalogueDocument())],
    ['openapi.json', jsonText(openApiDocument())],
    ['asyncapi.yaml', stringify(asyncApiDocument(), { lineWidth: 0, aliasDuplicateObjects: false })],
    ['README.md', readme()],
  ]);
}

/** Where the released contracts stand below `contracts/`; they are written once, by `latch contracts release`. */
export const releasedFolder = 'released';

/** What stands below `contracts/` and is not generated: the releases, and the recorded histories that are replayed. */
export const keptFolders = [releasedFolder, 'histories'] as const;

function filesOf(contract: PublishedContract): readonly (readonly [string, string])[] {
  const folder = folderOf(contract);
  const examples = Object.entries(contract.examples).flatMap(([kind, named]) =>
    Object.entries(named).map(([name, value]): [string, string] => [`${folder}/examples/${kind}/${name}.json`, jsonText(value)]),
  );
  return [
    [`${folder}/schema.json`, jsonText(schemaOf(contract))],
    ...examples,
    [`${folder}/CHANGELOG.md`, changelogOf(contract)],
  ];
}

function folderOf({ name, major }: PublishedContract): string {
  return `${name}/v${major}`;
}

function schemaOf({ version, title, schema }: PublishedContract): object {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return { $schema, $id: `urn:latch:contract:${version}`, title, ...jsonSchemaOf(schema) };
}

function changelogOf({ title, version, changes }: PublishedContract): string {
  const entries = changes.map(({ release, change }) => `## ${release}\n\n* ${change}\n`);
  return `# Changelog of ${title}, \`${version}\`\n\nA change within this major only adds (SPEC-012 section 14).\n\n${entries.join('\n')}`;
}

function eventCatalogueDocument(): object {
  const events = Object.entries(eventCatalogue).map(([type, entry]) => ({ type, family: familyOf(type), ...entry }));
  const evidence = Object.entries(evidenceCatalogue).map(([type, meaning]) => ({ type, family: familyOf(type), meaning }));
  return { title: 'Event catalogue', topics: topicCatalogue, events, evidence };
}

function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

function errorCatalogueDocument(): object {
  const errors = Object.entries(errorCatalogue).map(([code, meaning]) => ({ code, meaning }));
  return { title: 'Error codes', errors };
}

function readme(): string {
  const rows = publishedContracts.map((contract) => {
    const folder = folderOf(contract);
    const links = `[schema](${folder}/schema.json) · [examples](${folder}/examples) · [changelog](${folder}/CHANGELOG.md)`;
    return `| ${contract.title} | \`${contract.version}\` | ${links} |`;
  });
  return `# Published contracts

Generated from the zod sources in \`libs/contracts/src\` by \`npm run contracts:generate\`; \`npm run verify\` fails when these files and the sources differ.
The schemas are JSON Schema 2020-12 and open: a consumer keeps fields that it does not know. Within a major version new fields are optional and nothing
required goes away; a change of meaning is a new major. \`${releasedFolder}/\` holds every release, and \`latch contracts diff\` compares with the last one.

| contract | version | |
|---|---|---|
${rows.join('\n')}

* [openapi.json](openapi.json): the HTTP APIs of ingress, evaluator and console, OpenAPI 3.1.
* [asyncapi.yaml](asyncapi.yaml): the topics with their keys, partitions, retention and messages, AsyncAPI 3.
* [events/catalogue.json](events/catalogue.json): every event type, what it means, its severity, payload, alert and runbook; and what the evidence of a conversation holds.
* [errors.json](errors.json): every stable error code and what to do about it.
`;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
