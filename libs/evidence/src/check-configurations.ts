import { digest, type EvidenceBundle } from '@latch/contracts';
import { type Finding, finding } from './finding.ts';
import { digestsIn } from './read-bundle-source.ts';

/** Each configuration is the one that its digest names, and all that the events name are there. */
export function checkConfigurations(bundle: EvidenceBundle): readonly Finding[] {
  const { configurations = [] } = bundle;
  const there = new Set(configurations.map((one) => one['digest']));
  const named = new Set(bundle.events.flatMap(({ envelope }) => digestsIn(envelope.payload)));
  return [
    ...configurations
      .filter((one) => digestOfAgent(one) !== one['digest'])
      .map((one) =>
        finding('configurations', String(one['digest']), 'it is another configuration than its digest names'),
      ),
    ...[...named]
      .filter((one) => !there.has(one))
      .map((one) => finding('configurations', one, 'it is not in the file')),
  ];
}

/** The digest of an agent's configuration: of what its files say, together with the schemas of tools that were pinned to it. */
function digestOfAgent({ digest: _own, ...agent }: Readonly<Record<string, unknown>>): string {
  const tools = Object.entries(Object(agent['tools']));
  const schemas = Object.fromEntries(tools.flatMap(([name, tool]) => pinnedSchema(name, tool)));
  const files = { ...agent, tools: Object.fromEntries(tools.map(([name, tool]) => [name, withoutSchema(tool)])) };
  return Object.keys(schemas).length === 0 ? digest(agent) : digest({ files: digest(files), schemas });
}

function pinnedSchema(name: string, tool: unknown): [string, unknown][] {
  const hash: unknown = Reflect.get(Object(tool), 'schemaHash');
  return hash === undefined ? [] : [[name, hash]];
}

function withoutSchema(tool: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(tool)).filter(([name]) => name !== 'schemaHash'));
}
