import { type StoredStream } from '@latch/event-store';

/** How far a replay has come. */
export type ReplayProgress = {
  readonly conversations: number;
  readonly events: number;
};

/** A conversation that is not as it should be, or that could not be looked at. */
export type ReplayFinding<V> = {
  readonly conversationKey: string;
  readonly tenantId: string;
  readonly verdict: V;
};

/** What a replay of many conversations has shown. */
export type ReplaySummary<V> = {
  readonly conversations: number;
  readonly events: number;
  readonly equal: number;
  readonly differ: number;
  /** Conversations with personal fields that are gone: they verify, and cannot be folded or decided again. They are no difference. */
  readonly erased: number;
  /** The first that differ, at most `mostFindings`. */
  readonly findings: readonly ReplayFinding<V>[];
  readonly seconds: number;
};

type AnyVerdict = { readonly kind: 'equal' | 'erased' | 'differs' };

/** What to do with each stream, and who is told. */
export type ReplayOptions<V> = {
  readonly check: (stream: StoredStream) => V | Promise<V>;
  /** Told every verdict, as it comes; keeps nothing. */
  readonly onVerdict?: (stream: StoredStream, verdict: V) => void;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** @default 100 */
  readonly mostFindings?: number;
};

/** Replays streams one after the other. Memory does not grow with their number: only counts and the first findings are kept. */
export async function replayStreams<V extends AnyVerdict>(
  streams: AsyncIterable<StoredStream>,
  { check, onVerdict, onProgress, mostFindings = 100 }: ReplayOptions<V>,
): Promise<ReplaySummary<V>> {
  const begin = performance.now();
  const counts = { equal: 0, differs: 0, erased: 0 };
  const findings: ReplayFinding<V>[] = [];
  let [conversations, events] = [0, 0];
  for await (const stream of streams) {
    const verdict = await check(stream);
    conversations += 1;
    events += stream.events.length;
    counts[verdict.kind] += 1;
    onVerdict?.(stream, verdict);
    if (verdict.kind === 'differs' && findings.length < mostFindings) findings.push({ ...whose(stream), verdict });
    onProgress?.({ conversations, events });
  }
  const { equal, erased, differs: differ } = counts;
  const seconds = (performance.now() - begin) / 1000;
  return { conversations, events, equal, differ, erased, findings, seconds };
}

function whose({ conversation }: StoredStream): { readonly conversationKey: string; readonly tenantId: string } {
  return { conversationKey: conversation.conversationKey, tenantId: conversation.tenantId };
}
