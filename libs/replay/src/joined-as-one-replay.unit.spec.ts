import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, ConversationKey } from '@latch/contracts';
import { type StoredStream } from '@latch/event-store';
import fc from 'fast-check';
import { againstReport, type AgainstReport } from './against-report.ts';
import { JoinInOrder } from './join-in-order.ts';
import { joinReports } from './join-reports.ts';
import { joinSummaries } from './join-summaries.ts';
import { type AgainstVerdict } from './redecide-against.ts';
import { replayStreams, type ReplaySummary } from './replay-streams.ts';
import { differenceKinds } from './step-aspects.ts';

/** A stream with as many events as wanted; a replay looks at nothing else of it but its key. */
const completed = streamOf();

function streamOf(): StoredStream {
  const file = new URL('../../../contracts/histories/0.1.0/completed.jsonl', import.meta.url);
  const [heading] = readFileSync(file, 'utf8')
    .split('\n', 1)
    .map((line) => Object(JSON.parse(line)));
  const conversationKey = ConversationKey.parse(heading.conversation.conversationKey);
  const times = { createdAt: '', updatedAt: '', deadline: null };
  return { conversation: { ...heading.conversation, conversationKey, ...times }, events: [] };
}

const kinds = fc.constantFrom(...Object.keys(differenceKinds));

const difference = kinds.chain((kind) =>
  fc.record({
    ...{ turn: fc.nat(9), version: fc.nat(99), input: fc.constant('UserSpoke'), messageId: fc.constant(null) },
    ...{ at: fc.constant('2026-11-30T12:00:00.000Z'), kind: fc.constant(kind), aspects: fc.constant([]) },
  }),
);

/** What looking at a conversation may give; null: it cannot be read. */
const verdict: fc.Arbitrary<AgainstVerdict | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('equal' as const), steps: fc.nat(9) }),
  fc.record({ kind: fc.constant('erased' as const) }),
  fc.record({
    kind: fc.constant('differs' as const),
    steps: fc.nat(9),
    differences: fc.array(difference, { minLength: 1, maxLength: 4 }).map((all) => all.map(asDifference)),
  }),
);

type Differing = Extract<AgainstVerdict, { readonly kind: 'differs' }>['differences'][number];

function asDifference(value: object): Differing {
  return Object(value);
}

type Shown = { readonly summary: Omit<ReplaySummary<AgainstVerdict>, 'seconds'>; readonly report: AgainstReport };

/** Replays conversations that give these verdicts, in the order given. */
async function shownBy(verdicts: readonly (AgainstVerdict | null)[], from: number, most: number): Promise<Shown> {
  const gathered = againstReport(most);
  let next = from;
  async function* streams(): AsyncGenerator<StoredStream> {
    for (const index of verdicts.keys()) {
      const conversationKey = ConversationKey.parse(`default:agent:${from + index}`);
      yield { ...completed, conversation: { ...completed.conversation, conversationKey } };
    }
  }
  const { seconds: _clock, ...summary } = await replayStreams(streams(), {
    check: () => verdicts[next++ - from] ?? unreadable(),
    onVerdict: gathered.add,
    mostFindings: most,
  });
  return { summary, report: gathered.report() };
}

function unreadable(): never {
  throw new TypeError('an event is none');
}

function join(most: number): (one: Shown, next: Shown) => Shown {
  const timed = (summary: Shown['summary']): ReplaySummary<AgainstVerdict> => ({ ...summary, seconds: 0 });
  return (one, next) => {
    const { seconds: _clock, ...summary } = joinSummaries(timed(one.summary), timed(next.summary), most);
    return { summary, report: joinReports(one.report, next.report, most) };
  };
}

describe('a replay that was cut into stretches', () => {
  it('shows what it shows in one piece, wherever it is cut, in whatever order the stretches end', async () => {
    const cases = fc
      .record({ verdicts: fc.array(verdict, { minLength: 1, maxLength: 40 }), most: fc.nat(6) })
      .chain(({ verdicts, most }) =>
        fc.record({
          ...{ verdicts: fc.constant(verdicts), most: fc.constant(most) },
          cuts: fc.uniqueArray(fc.integer({ min: 1, max: verdicts.length }), { maxLength: 8 }),
          order: fc.array(fc.double({ noNaN: true }), { minLength: 9, maxLength: 9 }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ({ verdicts, most, cuts, order }) => {
        const ends = [...new Set([...cuts, verdicts.length])].sort((a, b) => a - b);
        const stretches = await Promise.all(
          ends.map((end, number) => {
            const from = ends[number - 1] ?? 0;
            return shownBy(verdicts.slice(from, end), from, most);
          }),
        );
        const joined = new JoinInOrder(join(most));
        const arriving = [...stretches.entries()].sort(([a], [b]) => (order[a] ?? 0) - (order[b] ?? 0));
        for (const [number, shown] of arriving) joined.add(number, shown);
        expect(canonicalJson(joined.whole())).toBe(canonicalJson(await shownBy(verdicts, 0, most)));
      }),
    );
  });

  it('joins what lies side by side at once, and tells when a stretch is missing', () => {
    let joins = 0;
    const joined = new JoinInOrder<string>((one, next) => {
      joins += 1;
      return one + next;
    });
    for (const number of [3, 1, 5]) joined.add(number, String(number));
    expect(joins).toBe(0);
    expect(() => joined.whole()).toThrow('missing');
    joined.add(4, '4');
    expect(joins).toBe(2);
    for (const number of [2, 0]) joined.add(number, String(number));
    expect(joins).toBe(5);
    expect(joined.whole()).toBe('012345');
  });

  it('is nothing when there was nothing', () => {
    expect(new JoinInOrder<string>((one) => one).whole()).toBeUndefined();
  });
});
