import { type EvidenceBundle, platformVersion } from '@latch/contracts';
import { resultsIn } from './check-answer.ts';
import { factsOfBundle } from './facts-of-bundle.ts';

/** What a file says and nothing in it can be held against: no fault of the file, and no proof either. A sentence each. */
export function unprovenIn(bundle: EvidenceBundle): readonly string[] {
  const { exported_by: release, turns = [], receipts = [] } = bundle;
  const results = resultsIn(factsOfBundle(bundle));
  const hasWords = turns.some(({ answer }) => typeof answer?.text === 'string');
  const isOfAnother = release !== platformVersion && hasWords;
  const unanswered = receipts.filter(({ execution, invocation_id: id }) => execution !== null && !results.has(id));
  return [
    ...(isOfAnother
      ? ['the words of the answers: another release exported them, and may have worded them otherwise']
      : []),
    ...unanswered.map(({ invocation_id: id }) => `what came back of call ${id}: no event holds its result`),
  ];
}
