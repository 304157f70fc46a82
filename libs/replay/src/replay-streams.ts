import { type StoredStream } from '@latch/event-store';
import { orUnreadable } from './or-unreadable.ts';

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

/** A conversation that can be neither folded nor decided: somebody altered an event, which `latch verify` names, or, where that finds nothing, this release trips over one. */
export type UnreadableConversation = {
  readonly conversationKey: string;
  readonly tenantId: string;
  /** `altered`, or the name of an error. */
  readonly error: string;
};

/** What a replay of many conversations has shown. */
export type ReplaySummary<V> = {
  readonly conversations: number;
  readonly events: number;
  readonly equal: number;
  readonly differ: number;
  /** Conversations with personal fields that are gone: they verify, and cannot be folded or decided again. They are no difference. */
  readonly erased: number;
  /** Conversations that cannot be looked at, and the first twenty of them. They are as bad as a difference, and do not keep the others from being looked at. */
  readonly unreadable: { readonly count: number; readonly first: readonly UnreadableConversation[] };
  /** The first that differ, at most `mostFindings`. */
  readonly findings: readonly ReplayFinding<V>[];
  readonly seconds: number;
};

type AnyVerdict = { readonly kind: 'equal' | 'erased' | 'differs' };

/** The most unreadable conversations that are named. */
export const mostUnreadable = 20;

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
  const counts = { equal: 0, differs: 0, erased: 0, unreadable: 0 };
  const findings: ReplayFinding<V>[] = [];
  const first: UnreadableConversation[] = [];
  let [conversations, events] = [0, 0];
  for await (const stream of streams) {
    const verdict = await orUnreadable(stream, check);
    conversations += 1;
    events += stream.events.length;
    counts[verdict.kind] += 1;
    if (verdict.kind === 'unreadable') {
      if (first.length < mostUnreadable) first.push({ ...whose(stream), error: verdict.error });
    } else {
      onVerdict?.(stream, verdict);
      if (verdict.kind === 'differs' && findings.length < mostFindings) findings.push({ ...whose(stream), verdict });
    }
    onProgress?.({ conversations, events });
  }
  const { equal, erased, differs: differ } = counts;
  const seconds = (performance.now() - begin) / 1000;
  const unreadable = { count: counts.unreadable, first };
  return { conversations, events, equal, differ, erased, unreadable, findings, seconds };
}

/** Whether nothing was found; what is erased is no finding. */
export function isAllEqual({ differ, unreadable }: ReplaySummary<unknown>): boolean {
  return differ === 0 && unreadable.count === 0;
}

function whose({ conversation }: StoredStream): { readonly conversationKey: string; readonly tenantId: string } {
  return { conversationKey: conversation.conversationKey, tenantId: conversation.tenantId };
}
