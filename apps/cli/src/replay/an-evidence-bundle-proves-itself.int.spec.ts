import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digest, EvidenceBundle } from '@latch/contracts';
import { type StoredStream } from '@latch/event-store';
import { makeBundle, readBundleSource, verifyBundle } from '@latch/evidence';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import fc from 'fast-check';
import pg from 'pg';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { projectStream } from './project-stream.ts';

let played: PlayedStore;
let bundle: EvidenceBundle;
let text: string;

beforeAll(async () => {
  played = await openPlayedStore();
  const talk = await playedConversation('evidence');
  await played.keep(talk);
  await played.keep(await playedConversation('another'));
  await played.seal();
  bundle = await bundleOf(talk.transactionId() ?? '');
  text = JSON.stringify(bundle);
}, 120_000);
afterAll(() => played.end());

async function bundleOf(transactionId: string): Promise<EvidenceBundle> {
  const publicKeys = [played.signingKey.publicKey];
  const source = await readBundleSource(played.auditor, { tenantId: 'default', transactionId, publicKeys });
  if (source === undefined) throw new Error(`no transaction ${transactionId}`);
  return makeBundle(source);
}

/** Every place of a JSON value that holds no other: what an attacker may change. */
function leavesOf(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => leavesOf(entry, [...path, index]));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, entry]) => leavesOf(entry, [...path, name]));
  }
  return [path];
}

function changed(path: readonly (string | number)[], to: unknown): EvidenceBundle {
  const copy: unknown = JSON.parse(text);
  let at: unknown = copy;
  for (const step of path.slice(0, -1)) at = Reflect.get(Object(at), step);
  Reflect.set(Object(at), path.at(-1) ?? '', to);
  return JSON.parse(JSON.stringify(copy));
}

/** What somebody does who knows how the file is made. */
function withNewDigest({ digest: _old, ...rest }: EvidenceBundle): string {
  return JSON.stringify({ ...rest, digest: digest(rest) });
}

const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}x` : 'x';
};

function valueAt(path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), JSON.parse(text));
}

describe('the bundle of a transaction', () => {
  it('is an EvidenceBundle and proves itself without a database, with a trusted key', () => {
    expect(EvidenceBundle.parse(JSON.parse(text))).toEqual(bundle);
    const report = verifyBundle(text, [played.signingKey.publicKey]);
    expect(report).toMatchObject({
      findings: [],
      isGood: true,
      signatures: 'trusted',
      unsealedEvents: 0,
      isErased: false,
    });
    expect(report.receipts).toBeGreaterThanOrEqual(2);
  });

  it('holds the words of its own turns, the capsule with its yes, the receipts and each item', () => {
    expect(bundle.turns?.map(({ said }) => said)).toEqual([
      'esquece, cancela TIM Fashion, Aya Audiobooks e Neymar Jr',
      'sim',
    ]);
    expect(bundle.capsules).toEqual([expect.objectContaining({ rev: 1, confirmed_in: expect.any(Number) })]);
    expect(bundle.items?.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['TIM Fashion', 'succeeded'],
      ['Aya Audiobooks', 'succeeded'],
      ['Neymar Jr', 'failed'],
    ]);
    expect(bundle.transaction).toMatchObject({ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
    expect(bundle.receipts?.map(({ purpose, status }) => [purpose, status])).toEqual([
      ['pre_validation', 'DONE'],
      ['execution', 'DONE'],
    ]);
  });

  it('says no word of other transactions and turns of the conversation: they are links of the chain', () => {
    expect(text).not.toContain('TIM Music');
    expect(text).not.toContain('obrigado');
    expect(bundle.chain?.links.length).toBeGreaterThan(bundle.events.length);
  });

  it('opens only its own events: another event of the person stays sealed', () => {
    const openings = bundle.events.map(({ opening }) => opening).filter((one) => typeof one === 'string');
    expect(new Set(openings).size).toBe(openings.length);
    expect(openings.length).toBeGreaterThan(5);
  });

  it('is refused with a key that did not sign it, and says when nobody checked the signature', async () => {
    const stranger = await openPlayedStore();
    const report = verifyBundle(text, [stranger.signingKey.publicKey]);
    expect(report.findings).toEqual([
      expect.objectContaining({ check: 'seals', detail: 'no public key is that of its signature' }),
    ]);
    await stranger.end();
    expect(verifyBundle(text).signatures).toBe('by_own_key');
    expect(verifyBundle(withNewDigest({ ...bundle, public_keys: [] })).signatures).toBe('unchecked');
  });
});

describe('a bundle that somebody changed', () => {
  it('is found out whatever value of it is another one', () => {
    const some = fc.sample(fc.constantFrom(...leavesOf(JSON.parse(text))), 300);
    const missed = some.filter((path) => {
      const altered = JSON.stringify(changed(path, other(valueAt(path))));
      return verifyBundle(altered, [played.signingKey.publicKey]).isGood;
    });
    expect(missed).toEqual([]);
  }, 120_000);

  it('is found out when any of its bytes is another one, unless the values are the same', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
        const altered = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        const isSame = altered === text;
        expect(verifyBundle(altered, [played.signingKey.publicKey]).isGood).toBe(isSame);
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  it.each<[string, (file: EvidenceBundle) => void, string]>([
    ['the words of the user', ({ turns = [] }) => void (turns[0] && (turns[0].said = 'cancela tudo')), 'turns'],
    [
      'the words of the answer',
      ({ turns = [] }) => void (turns[1]?.answer && (turns[1].answer.text = 'Feito.')),
      'turns',
    ],
    [
      'the payload of an event',
      ({ events }) => void (events[1] && (events[1].envelope.payload = { type: 'X' })),
      'events',
    ],
    ['an event that is left out', ({ events }) => void events.splice(3, 1), 'events'],
    ['the outcome of an item', ({ items = [] }) => void (items[2] && (items[2].outcome = 'succeeded')), 'items'],
    ['the outcome of the whole', ({ transaction }) => void (transaction && (transaction.outcome = 'SUCCESS')), 'items'],
    [
      'an argument that was sent',
      ({ receipts = [] }) => void (receipts[1] && (receipts[1].invocation.arguments = {})),
      'receipts',
    ],
    [
      'what a tool answered',
      ({ receipts = [] }) =>
        void (receipts[1]?.execution && (receipts[1].execution.outcome = { kind: 'lost', reason: '' })),
      'receipts',
    ],
    ['the key of a call', ({ receipts = [] }) => void (receipts[1] && (receipts[1].idempotency_key = 'x')), 'receipts'],
    ['a receipt that is left out', ({ receipts = [] }) => void receipts.pop(), 'receipts'],
    ['the list of proposals', (file) => void (file.capsules = []), 'capsules'],
    [
      'the configuration',
      ({ configurations = [] }) => void (configurations[0] && (configurations[0]['maxParked'] = 99)),
      'configurations',
    ],
    ['a configuration that is left out', (file) => void (file.configurations = []), 'configurations'],
    ['a link of the chain', ({ chain }) => void (chain?.links[0] && (chain.links[0].trace_id = 'x')), 'chain'],
    ['the end of the chain', ({ chain }) => void chain?.links.pop(), 'chain'],
    ['the head', (file) => void (file.head_hash = '0'.repeat(64)), 'chain'],
    [
      'the seal',
      ({ seals = [] }) => void (seals[0] && (seals[0].seal.sealed_at = '2020-01-01T00:00:00.000Z')),
      'seals',
    ],
    ['the tenant', (file) => void (file.tenant_id = 'other'), 'identity'],
    ['the transaction', (file) => void (file.transaction_id = 'other'), 'identity'],
  ])('by who makes a new digest is found out by what it is about: %s', (_what, change, check) => {
    const file: EvidenceBundle = JSON.parse(text);
    change(file);
    const { findings } = verifyBundle(withNewDigest(file), [played.signingKey.publicKey]);
    expect(findings.map((one) => one.check)).toContain(check);
  });

  it('is told apart from a file that says of itself nothing of a bundle, or is of another release', () => {
    const none = /^its contract_version is not evidence-bundle-v1: it has none$/;
    expect(verifyBundle(text.slice(0, -100)).noBundle).toBe('it is no JSON, or not all of it is there');
    expect(verifyBundle('{"name":"x"}').noBundle).toMatch(none);
    expect(verifyBundle('[]').noBundle).toMatch(none);
    const next = withNewDigest({ ...bundle, contract_version: 'evidence-bundle-v2' });
    expect(verifyBundle(next).noBundle).toMatch(/it is "evidence-bundle-v2"$/);
    const { events: _events, ...less } = bundle;
    expect(verifyBundle(JSON.stringify(less))).toMatchObject({ isGood: false, noBundle: null });
  });

  it('never makes the check throw, whatever the file holds', () => {
    for (const file of ['', 'null', '[]', '{}', '{"events":[]}', '"x"', '{"a":1e999}', '['.repeat(10_000)]) {
      expect(verifyBundle(file).isGood).toBe(false);
    }
    fc.assert(
      fc.property(fc.constantFrom(...leavesOf(JSON.parse(text))), fc.jsonValue(), (path, value) => {
        expect(() => verifyBundle(withNewDigest(changed(path, value)))).not.toThrow();
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});

describe('a bundle of a call whose record was lost', () => {
  it('does not prove itself by a record that was made again from the events, and says so', async () => {
    const lost = await openPlayedStore();
    const talk = await playedConversation('lost');
    await lost.keep(talk);
    const owner = new pg.Client({ connectionString: lost.url });
    await owner.connect();
    await owner.query('DELETE FROM tool_ledger');
    await owner.end();
    const configs = pinnedConfigs(lost.maintenance);
    const project = (stream: StoredStream): ReturnType<typeof projectStream> => projectStream(stream, configs);
    expect(await lost.maintenance.rebuildProjections({ read: readToolResult, project })).toMatchObject({ left: 0 });
    const source = await readBundleSource(lost.auditor, {
      ...{ tenantId: 'default', transactionId: talk.transactionId() ?? '', publicKeys: [] },
    });
    if (source === undefined) throw new Error('there is no such transaction');
    const { isGood, findings } = verifyBundle(JSON.stringify(makeBundle(source)));
    expect(isGood).toBe(false);
    expect(findings.filter(({ check }) => check === 'receipts').map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^its record was lost; what stands for it was made from event \d+ and proves nothing$/),
      expect.stringMatching(/^its record was lost/),
    ]);
    await lost.end();
  });
});
