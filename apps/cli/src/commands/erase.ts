import { type Erasure, erasePerson } from '@latch/event-store';
import { type CliSettings } from '../config.ts';
import { withMaintenance } from '../privacy/with-maintenance.ts';
import { sayCouldNotRun, wholeNumberOption } from '../run-command.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch erase`. */
export type EraseOptions = {
  readonly tenant: string;
  /** User id of the person. */
  readonly subject?: string;
  /** Conversation of a person who gave no name. */
  readonly conversation?: string;
  readonly evenIfUnderWay?: boolean;
  /** Seconds to wait for what is under way. */
  readonly wait: string;
  readonly json?: boolean;
};

/**
 * `latch erase`: forgets a person. Ends with 0 when nothing of the person can be read any more, 1 when nothing was erased, since something is under way or the person has another name, 2 when it
 * could not run.
 */
export async function erase(settings: CliSettings, options: EraseOptions): Promise<void> {
  const who = whoIn(options);
  if (who === undefined) return sayCouldNotRun('name the person: either --subject or --conversation', options);
  await withMaintenance(settings, options, async (maintenance) => {
    const erasure = await erasePerson(maintenance, {
      tenantId: options.tenant,
      who,
      evenIfUnderWay: options.evenIfUnderWay ?? false,
      waitMs: (wholeNumberOption('wait', options.wait) ?? 0) * 1_000,
    });
    if (options.json) print(JSON.stringify(erasure));
    else printLines(erasureLines(erasure));
    return erasure.outcome !== 'blocked' && erasure.outcome !== 'named';
  });
}

function whoIn({ subject, conversation }: EraseOptions): { userId: string } | { conversationKey: string } | undefined {
  if ((subject === undefined) === (conversation === undefined) || subject === '' || conversation === '')
    return undefined;
  return subject === undefined ? { conversationKey: conversation ?? '' } : { userId: subject };
}

/** What an erasure did, in sentences. */
export function erasureLines({ outcome, keys, conversations, tombstones, underWay }: Erasure): readonly string[] {
  switch (outcome) {
    case 'erased':
      return [
        `Erased: ${keys} data keys destroyed, ${conversations} conversations, ${tombstones} tombstones written.`,
        'What Kafka still holds goes when its retention ends. Every chain still verifies: latch verify.',
      ];
    case 'already_erased':
      return [`Nothing left to erase: the person was erased before, in ${conversations} conversations.`];
    case 'unknown':
      return ['Nothing to erase: the store knows no such person of this tenant.'];
    case 'named':
      return ['Not erased: who spoke in this conversation has a user id. Name the person by it: --subject.'];
    case 'blocked':
      return [
        'Not erased: something of the person is under way, and its outcome could not be told any more.',
        ...underWay.map(({ what, id, status }) => `  ${what} ${id}: ${status}`),
        'Try again when it has ended. --even-if-under-way erases at once; then nobody is told how it ended.',
      ];
    default:
      return outcome satisfies never;
  }
}
