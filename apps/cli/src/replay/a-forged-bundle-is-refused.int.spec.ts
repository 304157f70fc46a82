import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digest, EvidenceBundle } from '@latch/contracts';
import { erasePerson, openMaintenance, unsealPayload } from '@latch/event-store';
import { makeBundle, readBundleSource, verifyBundle } from '@latch/evidence';
import { createLogger } from '@latch/observability';
import { testKeyRing } from '@latch/testing';
import { historyAgents } from '../histories/history-agents.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';

/** Invariant I15, of the file that leaves the house: who knows how it is made, and makes a new digest, is refused all the same. */
type BundleSource = Parameters<typeof makeBundle>[0];

let sealed: PlayedStore;
let clear: PlayedStore;
let erased: PlayedStore;
const files = new Map<string, string>();

beforeAll(async () => {
  [sealed, clear, erased] = await Promise.all([openPlayedStore(), openPlayedStore('clear'), openPlayedStore()]);
  for (const [name, store] of Object.entries({ sealed, clear, erased })) {
    const talk = await playedConversation(name);
    await store.keep(talk);
    if (name === 'erased') await eraseEverybody(store);
    await store.seal();
    const id = talk.transactionId() ?? '';
    files.set(name, JSON.stringify(makeBundle(await sourceOf(store, id))));
  }
  files.set('kept back', withNewDigest(keptBack(parsed('sealed'))));
}, 120_000);
afterAll(() => Promise.all([sealed, clear, erased].map((store) => store.end())));

async function sourceOf(store: PlayedStore, transactionId: string): Promise<BundleSource> {
  const publicKeys = [store.signingKey.publicKey];
  const source = await readBundleSource(store.auditor, { tenantId: 'default', transactionId, publicKeys });
  if (source === undefined) throw new Error(`no transaction ${transactionId}`);
  return source;
}

async function eraseEverybody({ url }: PlayedStore): Promise<void> {
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const maintenance = openMaintenance({ databaseUrl: url, personalData: testKeyRing, logger });
  await erasePerson(maintenance, { tenantId: 'default', who: { userId: 'ana' }, waitMs: 0, evenIfUnderWay: true });
  await maintenance.close();
}

function parsed(name: string): EvidenceBundle {
  return EvidenceBundle.parse(JSON.parse(files.get(name) ?? ''));
}

function withNewDigest({ digest: _old, ...rest }: EvidenceBundle): string {
  const written: typeof rest = JSON.parse(JSON.stringify(rest));
  return JSON.stringify({ ...written, digest: digest(written) });
}

/** What of a signed file is left when its openings are taken away and it is called erased. */
function keptBack(file: EvidenceBundle): EvidenceBundle {
  const types = new Map(file.chain?.links.map(({ sequence, type }) => [sequence, type]));
  for (const event of file.events) {
    const payload = unsealPayload(types.get(event.envelope.sequence ?? 0) ?? '', JSON.parse(event.stored ?? ''), null);
    event.envelope.payload = Object.fromEntries(Object.entries(Object(payload)));
    event.opening = null;
  }
  for (const turn of file.turns ?? []) {
    turn.said = null;
    turn.inputs = null;
    if (turn.answer) turn.answer.text = null;
  }
  for (const receipt of file.receipts ?? []) {
    const { tenant_id, agent_id, tool_name } = receipt.invocation;
    receipt.invocation = { tenant_id, agent_id, tool_name, arguments: { erased: true } };
    receipt.execution = null;
    receipt.attempts = receipt.attempts.map(({ number, started_at, ended_at }) => ({ number, started_at, ended_at }));
  }
  return { ...file, erased: true, items: [] };
}

function keyOf(name: string): string {
  const store = { clear, erased }[name] ?? sealed;
  return store.signingKey.publicKey;
}

type Forgery = readonly [string, (file: EvidenceBundle) => void, string];

const execution = ({ receipts = [] }: EvidenceBundle): NonNullable<EvidenceBundle['receipts']>[number] => {
  const found = receipts.find(({ purpose }) => purpose === 'execution');
  if (found === undefined) throw new Error('nothing was executed');
  return found;
};
const whatCame = (file: EvidenceBundle): Record<string, unknown> => {
  const outcome = execution(file).execution?.outcome;
  return Object(Reflect.get(Object(outcome), 'result'));
};
const item = {
  id: 'x',
  label: 'Tudo',
  outcome: 'succeeded',
  reason: null,
  protocol: 'CAN-1',
  is_retryable: false,
} as const;

const everywhere: readonly Forgery[] = [
  ['status', ({ transaction }) => void Object.assign(transaction ?? {}, { status: 'FAILED' }), 'items: transaction'],
  ['outcome', ({ transaction }) => void Object.assign(transaction ?? {}, { outcome: 'SUCCESS' }), 'items: transaction'],
  [
    'time',
    ({ transaction }) => void Object.assign(transaction ?? {}, { ended_at: '2020-01-01T00:00:00.000Z' }),
    'items: transaction',
  ],
  ['revision', ({ transaction }) => void Object.assign(transaction ?? {}, { rev: 7 }), 'items: transaction'],
  ['an item', (file) => void (file.items = [item]), 'items: transaction'],
  [
    'words of the answer',
    ({ turns }) => void Object.assign(turns?.[1]?.answer ?? {}, { text: 'Feito!' }),
    'turns: turn ',
  ],
  ['words of the user', ({ turns }) => void Object.assign(turns?.[1] ?? {}, { said: 'não' }), 'turns: turn '],
  ['tool of a receipt', (file) => void (execution(file).tool = 'transfer_money'), 'receipts: call '],
  ['tool of a call', (file) => void (execution(file).invocation.tool_name = 'transfer_money'), 'receipts: call '],
  ['arguments', (file) => void (execution(file).invocation.arguments = { amount: 1 }), 'receipts: call '],
  ['tenant of a call', (file) => void (execution(file).invocation.tenant_id = 'other'), 'receipts: call '],
  ['items of a call', (file) => void (execution(file).invocation.items = [{ id: 'x', label: 'x' }]), 'receipts: call '],
  ['idempotency key', (file) => void (execution(file).idempotency_key = 'zz'), 'receipts: call '],
  ['proposal', (file) => void (execution(file).proposal_id = 'zz'), 'receipts: call '],
  ['purpose', (file) => void (execution(file).purpose = 'pre_validation'), 'receipts: call '],
  [
    'what an attempt brought',
    (file) =>
      void (execution(file).attempts = [
        { number: 1, started_at: file.exported_at, outcome: { kind: 'lost', reason: 'never' } },
      ]),
    'receipts: call ',
  ],
  ['a receipt twice', (file) => void file.receipts?.push(execution(file)), 'receipts: call '],
  [
    'a member of the transaction',
    ({ transaction }) => void Object.assign(transaction ?? {}, { verdict: 'ok' }),
    'members: transaction',
  ],
  ['a member of the file', (file) => void Object.assign(file, { note: 'ok' }), 'members: file'],
  ['a member of a receipt', (file) => void Object.assign(execution(file), { note: 'ok' }), 'members: call '],
  ['a member of a turn', ({ turns }) => void Object.assign(turns?.[0] ?? {}, { note: 'ok' }), 'members: turn '],
  ['the session', ({ events }) => void Object.assign(events[1]?.envelope ?? {}, { session_id: 'x' }), 'events: event '],
  ['the producer', ({ events }) => void Object.assign(events[1]?.envelope ?? {}, { producer: 'x' }), 'events: event '],
  [
    'a member of an event',
    ({ events }) => void Object.assign(events[1]?.envelope ?? {}, { note: 'x' }),
    'events: event ',
  ],
  [
    'a configuration that no event names',
    (file) => void file.configurations?.push({ ...file.configurations[0], digest: 'x' }),
    'configurations: x',
  ],
  ['the language', (file) => void (file.locale = 'es'), 'configurations: file'],
  ['the seals taken away', (file) => void (file.seals = []), 'unsealed: event 1'],
];

const whereWordsAre: readonly Forgery[] = [
  ['called erased', (file) => void (file.erased = true), 'erased: file'],
  ['words left out', ({ turns }) => void Object.assign(turns?.[1]?.answer ?? {}, { text: null }), 'turns: turn '],
  ['an outcome left out', (file) => void (execution(file).execution = null), 'receipts: call '],
  [
    'what was sent',
    (file) => void Object.assign(execution(file).execution?.invocation ?? {}, { arguments: {} }),
    'receipts: call ',
  ],
  [
    'the tenant it was sent for',
    (file) => void Object.assign(execution(file).execution?.invocation ?? {}, { tenant_id: 'x' }),
    'receipts: call ',
  ],
  [
    'its expiry',
    (file) => void (execution(file).invocation.expires_at = '2030-01-01T00:00:00.000Z'),
    'receipts: call ',
  ],
  [
    'a protocol of the raw answer',
    (file) =>
      void Object.assign(whatCame(file), {
        structuredContent: JSON.parse(JSON.stringify(whatCame(file)['structuredContent']).replaceAll('P-', 'Q-')),
      }),
    'receipts: call ',
  ],
  [
    'no attempts',
    (file) => {
      const { execution: came, ...rest } = execution(file);
      void rest;
      execution(file).attempts = [];
      if (came) came.attempts = [];
    },
    'receipts: call ',
  ],
  ['attempts of the receipt only', (file) => void (execution(file).attempts = []), 'receipts: call '],
];

const whereNoWordsAre: readonly Forgery[] = [
  [
    'what came back',
    (file) =>
      void (execution(file).execution =
        parsed('sealed').receipts?.find(({ purpose }) => purpose === 'execution')?.execution ?? null),
    'receipts: call ',
  ],
  ['not called erased', (file) => void (file.erased = false), 'events: event '],
  ['more of the call', (file) => void (execution(file).invocation.channel = 'web'), 'receipts: call '],
];

describe.each([
  ['sealed', whereWordsAre],
  ['clear', whereWordsAre],
  ['erased', whereNoWordsAre],
  ['kept back', whereNoWordsAre],
])('a file that is %s', (name, own) => {
  it('is good as it was made', () => {
    expect(verifyBundle(files.get(name) ?? '', [keyOf(name)]).findings).toEqual([]);
    expect(verifyBundle(files.get(name) ?? '').findings).toEqual([]);
  });

  it.each([...everywhere, ...own])('is refused with another %s, at its place', (_what, forge, place) => {
    const file = parsed(name);
    forge(file);
    const { isGood, findings } = verifyBundle(withNewDigest(file), [keyOf(name)]);
    expect(findings.map((one) => `${one.check}: ${one.place}`).filter((one) => one.startsWith(place))).not.toEqual([]);
    expect(isGood).toBe(false);
  });

  it('is refused without its digest', () => {
    const { digest: _digest, ...rest } = parsed(name);
    expect(verifyBundle(JSON.stringify(rest), [keyOf(name)]).findings.map(({ check }) => check)).toContain('digest');
  });

  it('is refused where a name is given twice, or one could change a prototype', () => {
    const text = files.get(name) ?? '';
    for (const more of ['"tenant_id":"default",', '"__proto__":{"items":[]},']) {
      const { findings } = verifyBundle(`{${more}${text.slice(1)}`, [keyOf(name)]);
      expect(findings).toEqual([expect.objectContaining({ check: 'readable', place: 'file' })]);
    }
  });
});

describe('a text in the file that is written in two ways', () => {
  it('is refused: an opening or a signature with padding', () => {
    const file = parsed('sealed');
    const at = file.events.find(({ opening }) => typeof opening === 'string');
    if (at) at.opening = `${at.opening}=`;
    expect(verifyBundle(withNewDigest(file)).findings.map(({ check }) => check)).toEqual(['events']);
    const signed = parsed('sealed');
    const seal = signed.seals?.[0]?.seal;
    if (seal) seal.signature = seal.signature.replaceAll('=', '');
    expect(verifyBundle(withNewDigest(signed)).findings.map(({ check }) => check)).toEqual(['seals']);
  });
});

describe('what no event can be held against', () => {
  it('is named: words that another release exported, and an answer whose result no event holds', () => {
    expect(verifyBundle(files.get('sealed') ?? '').unproven).toEqual([]);
    const file = parsed('sealed');
    file.exported_by = '0.0.1';
    Object.assign(file.turns?.[1]?.answer ?? {}, { text: 'Feito!' });
    expect(verifyBundle(withNewDigest(file)).unproven).toEqual([expect.stringMatching(/^the words of the answers/)]);
    const early = parsed('sealed');
    early.events = early.events.filter(({ envelope }) => envelope.event_type !== 'IC.TOOL_RESULT_RECEIVED');
    expect(verifyBundle(withNewDigest(early)).unproven).toHaveLength(2);
  });
});

describe('seals', () => {
  it('of another conversation, or up to an earlier event, do not stand for this one when a key is given', async () => {
    const file = parsed('sealed');
    file.seals = parsed('clear').seals;
    expect(verifyBundle(withNewDigest(file), [keyOf('clear')]).isGood).toBe(false);
    const later = await playedConversation('sealed-early');
    await sealed.keep(later);
    const young = JSON.stringify(makeBundle(await sourceOf(sealed, later.transactionId() ?? '')));
    const { findings } = verifyBundle(young, [keyOf('sealed')]);
    expect(findings).toEqual([expect.objectContaining({ check: 'unsealed', place: 'event 1' })]);
    expect(verifyBundle(young)).toMatchObject({ isGood: true, signatures: 'none' });
  });
});

describe('every recorded kind of conversation', () => {
  it.each(['sealed', 'clear'])(
    'gives a bundle of each transaction that proves itself: %s',
    async (name) => {
      const store = name === 'clear' ? clear : sealed;
      const agentOf = await historyAgents();
      const talks = historyScripts.map((script) => script.play(agentOf));
      for (const talk of talks) await store.keep(talk);
      await store.seal();
      const ids = new Set(talks.flatMap((talk) => talk.append().transactions.map(({ id }) => id)));
      expect(ids.size).toBeGreaterThan(20);
      for (const id of ids) {
        const source = await sourceOf(store, id);
        // The scripts make up what a tool answered, so no executor ever recorded it: here calls stand as they are before there is an outcome.
        const receipts = source.receipts.map((entry) => ({ ...entry, status: 'STARTED' as const, execution: null }));
        const { findings } = verifyBundle(JSON.stringify(makeBundle({ ...source, receipts })), [keyOf(name)]);
        const unrecorded = 'a result was acted upon that no receipt stands for';
        expect({
          id,
          key: source.stream.conversation.conversationKey,
          findings: findings.filter(({ detail }) => detail !== unrecorded),
        }).toEqual({ id, key: expect.any(String), findings: [] });
      }
    },
    120_000,
  );
});
