import { type DeadLetterRedrive } from '@latch/contracts';
import { type Letter, placeOf, type SentAgain } from './letter.ts';

const never: SentAgain = { times: 0, lastAt: null, by: null, unclearSince: null };

/** Which messages were sent again, as the marks on the dead-letter topic tell. */
export class RedriveHistory {
  private readonly begun = new Map<string, Map<string, string>>();
  private readonly sent = new Map<string, SentAgain>();

  /**
   * Takes a mark, in the order of the topic. A message that was sent for sure is there, whatever became of a sending that broke off before; one that was refused says
   * nothing of those.
   */
  add({ source, step, run_id: runId, at, by }: DeadLetterRedrive): void {
    const place = placeOf({ source });
    const open = this.begun.get(place) ?? new Map<string, string>();
    this.begun.set(place, open);
    if (step === 'begun') return void open.set(runId, at);
    if (step === 'refused') return void open.delete(runId);
    open.clear();
    const times = (this.sent.get(place)?.times ?? 0) + 1;
    this.sent.set(place, { times, lastAt: at, by, unclearSince: null });
  }

  /** What became of the message of a letter: also where another letter about the same message was sent. */
  of({ content }: Letter): SentAgain {
    return this.ofPlace(placeOf(content));
  }

  /** The same by the place of the message, see `placeOf`. */
  ofPlace(place: string): SentAgain {
    const [unclearSince = null] = this.begun.get(place)?.values() ?? [];
    return { ...(this.sent.get(place) ?? never), unclearSince };
  }
}
