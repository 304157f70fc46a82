import { type AgainstReport, type AgainstVerdict, type ReplaySummary, type StepDifference } from '@latch/replay';
import { tableLines } from '../terminal.ts';
import { unreadableLines } from './unreadable-lines.ts';

/** The report of `latch replay redecide --against` for people: the kinds of difference first, then the conversations, turn by turn. */
export function againstLines(
  counts: Omit<ReplaySummary<AgainstVerdict>, 'findings'>,
  report: AgainstReport,
): readonly string[] {
  const shown = report.conversations.length;
  return [
    `${counts.differ} of ${counts.conversations} conversations would have gone otherwise`,
    `${report.decisionsThatDiffer} of ${report.decisions} decisions`,
    ...unreadableLines(counts.unreadable),
    ...(counts.erased > 0 ? [`${counts.erased} conversations are erased and cannot be tried`] : []),
    ...kindLines(report),
    ...report.conversations.flatMap(({ conversationKey, differences }) => [
      '',
      conversationKey,
      ...differences.flatMap(differenceLines),
    ]),
    ...(counts.differ > shown ? ['', `${counts.differ - shown} more; --show ${counts.differ} shows all`] : []),
  ];
}

function kindLines({ kinds }: AgainstReport): readonly string[] {
  if (kinds.length === 0) return [];
  const rows = kinds.map(({ kind, meaning, conversations, decisions }) => [
    kind,
    String(conversations),
    String(decisions),
    meaning,
  ]);
  return ['', ...tableLines([['kind', 'conversations', 'decisions', 'meaning'], ...rows])];
}

function differenceLines({ turn, input, messageId, kind, aspects }: StepDifference): readonly string[] {
  const said = messageId === null ? '' : ` (message ${messageId})`;
  return [
    `  turn ${turn}, ${input}${said}: ${kind}`,
    ...aspects.flatMap((aspect) => [
      `    ${aspect.kind}`,
      `      was ${briefly(aspect.recorded)}`,
      `      is  ${briefly(aspect.decided)}`,
    ]),
  ];
}

function briefly(values: readonly unknown[]): string {
  const text = values.length === 0 ? 'nothing' : JSON.stringify(values);
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
