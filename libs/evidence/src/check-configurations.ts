import { agentDigest, type EvidenceBundle } from '@latch/contracts';
import { type Finding, finding } from './finding.ts';
import { digestsIn } from './read-bundle-source.ts';

/** Each configuration is the one that its digest names, and they are those that the events name. */
export function checkConfigurations(bundle: EvidenceBundle): readonly Finding[] {
  const { configurations = [] } = bundle;
  const there = new Set(configurations.map((one) => one['digest']));
  const named = new Set(bundle.events.flatMap(({ envelope }) => digestsIn(envelope.payload)));
  return [
    ...configurations
      .filter((one) => agentDigest(one) !== one['digest'])
      .map((one) =>
        finding('configurations', String(one['digest']), 'it is another configuration than its digest names'),
      ),
    ...[...named]
      .filter((one) => !there.has(one))
      .map((one) => finding('configurations', one, 'it is not in the file')),
    ...configurations
      .map((one) => String(one['digest']))
      .filter((one) => !named.has(one))
      .map((one) => finding('configurations', one, 'no event names it')),
  ];
}
