import { topics } from '@latch/contracts';
import { type ReceivedEnvelope, redriveLetter } from '@latch/messaging';
import { type Letter } from './letter.ts';
import { type LetterSettings } from './letter-settings.ts';

type Turn = { readonly letterId: string; readonly acceptedAt: string };

/** The last turn of each conversation that died: by what was said later, an earlier word may be taken back. */
export class LatestTurns {
  private readonly turns = new Map<string, Turn>();

  constructor(private readonly signing: LetterSettings['signing']) {}

  /** Takes a letter; one about something else than a turn of ours, or of which nobody knows what it says, changes nothing. */
  add({ id, content, envelope }: Letter): void {
    if (content.source.topic !== topics.turns) return;
    const made = redriveLetter(content, { letterId: envelope.event_id, signing: this.signing });
    if (!made.ok) return;
    const { conversation_key: key, timestamp: acceptedAt } = made.value.received.envelope;
    const known = this.turns.get(key);
    if (known === undefined || Date.parse(known.acceptedAt) < Date.parse(acceptedAt))
      this.turns.set(key, { letterId: id, acceptedAt });
  }

  /** The id of a letter with a later turn of the same conversation than that of this envelope. */
  laterThan({ conversation_key: key, timestamp: acceptedAt }: ReceivedEnvelope): string | undefined {
    const latest = this.turns.get(key);
    return latest !== undefined && Date.parse(latest.acceptedAt) > Date.parse(acceptedAt) ? latest.letterId : undefined;
  }
}
