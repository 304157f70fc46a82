import { DeadLetter, DeadLetterRedrive, topics } from '@latch/contracts';
import { type BusRecord, openLetter, parseRecord, payloadSchemas, readTopic, verified } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { type LetterSettings } from './letter-settings.ts';
import { type Letter } from './letter.ts';
import { RedriveHistory } from './redrive-history.ts';

/** What the dead-letter topic holds. */
export type LettersRead = {
  readonly history: RedriveHistory;
  /** Records that are no letter of ours: unreadable, or, on a signed bus, not signed by a service. */
  readonly strange: number;
};

/**
 * Reads the dead-letter topic to its end, and hands over each letter, opened where its key is here, in the order of its partition. Nothing is kept but what was
 * sent again, so that a topic of any size can be read.
 *
 * @throws Error when Kafka does not answer, or there is no such topic.
 */
export async function readLetters(settings: LetterSettings, onLetter: (letter: Letter) => void): Promise<LettersRead> {
  const history = new RedriveHistory();
  let strange = 0;
  await readTopic({
    brokers: settings.brokers,
    security: settings.security,
    topicPrefix: settings.topicPrefix,
    topic: topics.deadLetters,
    logger: createLogger({ service: 'latch', level: 'silent' }),
    onRecord: (record) => {
      const read = readRecord(record, settings);
      if (read === undefined) strange += 1;
      else if ('step' in read) history.add(read);
      else onLetter(read);
    },
  });
  return { history, strange };
}

function readRecord(
  record: BusRecord,
  { signing, personalData }: LetterSettings,
): Letter | DeadLetterRedrive | undefined {
  const parsed = parseRecord(signing === undefined ? record : verified(record, signing), payloadSchemas);
  if (!parsed.ok) return undefined;
  const { envelope, payload } = parsed.value;
  if (envelope.event_type === 'IC.DEAD_LETTER_REDRIVEN') return DeadLetterRedrive.safeParse(payload).data;
  const letter = DeadLetter.safeParse(payload);
  if (!letter.success) return undefined;
  const isSealable = personalData !== 'clear' && personalData !== 'no_key';
  const content = isSealable ? openLetter(letter.data, personalData) : letter.data;
  const { partition, offset } = record;
  return { id: `${partition}/${offset}`, partition, offset, envelope, content };
}
