import { verifyChain } from '@latch/event-store';
import { factsOf, identityOf, rebuildStream } from '@latch/replay';
import { type Divergence, divergences, initialState } from '@latch/transaction';
import { type RecordedHistory } from './history-file.ts';
import { type HistoryFolder } from './history-folders.ts';

/** What is wrong with the histories of a release; empty when all hold. */
export function checkHistories(folder: HistoryFolder): readonly string[] {
  const problems = folder.histories.flatMap((history) =>
    [...chainProblems(history), ...foldProblems(history), ...decisionProblems(history, folder)].map(
      (problem) => `${folder.release}/${history.name}: ${problem}`,
    ),
  );
  return [...problems, ...goneDifferences(folder)];
}

function chainProblems({ stream: { conversation, events } }: RecordedHistory): readonly string[] {
  const { version, headHash: hash } = conversation;
  const verdict = verifyChain(conversation, events, { version, hash });
  return verdict.ok ? [] : [`the chain is ${verdict.error.reason} at event ${verdict.error.version}`];
}

/** Every later release must fold what an earlier one wrote to the same state: conversations go on over an upgrade. */
function foldProblems({ stream }: RecordedHistory): readonly string[] {
  const verdict = rebuildStream(stream);
  if (verdict.kind === 'equal') return [];
  const where = verdict.kind === 'differs' ? `differs at ${verdict.difference.path}` : 'cannot be folded';
  return [`the fold ${where}. What a release wrote must fold to the same state for ever (ADR 12)`];
}

function decisionProblems(history: RecordedHistory, { agentOf, differences }: HistoryFolder): readonly string[] {
  const known = new Set(differences.filter((one) => one.history === history.name).map(({ version }) => version));
  return divergencesIn(history, agentOf)
    .filter(({ version }) => !known.has(version))
    .map(({ version, reason, recorded, decided }) => {
      if (reason === 'config_unknown') return `the configuration of the decision at event ${version} is not there`;
      const types = [recorded, decided].map((events) => events.map(({ type }) => type).join(', '));
      return `the decision at event ${version} comes out otherwise: recorded ${types[0]}; decided ${types[1]}. ${whatToDo}`;
    });
}

const whatToDo =
  'If that is meant: before the release, `npm run latch histories record`; for a release that is out, name it in differences.json (ADR 12)';

function goneDifferences({ release, histories, agentOf, differences }: HistoryFolder): readonly string[] {
  return differences.flatMap(({ history: name, version }) => {
    const history = histories.find((one) => one.name === name);
    const isThere = history && divergencesIn(history, agentOf).some((divergence) => divergence.version === version);
    return isThere
      ? []
      : [`${release}/${name}: differences.json names a difference at event ${version} that is not there`];
  });
}

function divergencesIn({ stream }: RecordedHistory, agentOf: HistoryFolder['agentOf']): readonly Divergence[] {
  return [...divergences(initialState(identityOf(stream)), factsOf(stream.events), agentOf)];
}
