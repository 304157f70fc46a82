import { describe, expect, it } from '@jest/globals';
import {
  type BusMessage,
  DeadLetter,
  type ErrorCode,
  errorCatalogue,
  publishedContracts,
  type Topic,
  topics,
} from '@latch/contracts';
import { toDeadLetter } from './dead-letter.ts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { recordOf } from './fixtures/messages.ts';
import { redriveCodes, redriveTopics, ruleOfCode } from './redrive-rules.ts';
import { isRedriven, redriveHeader, redriveLetter } from './redrive-letter.ts';
import { signatureHeader, type Signing } from './sign-records.ts';

const by = { service: 'spec', groupId: 'spec' };

/** What each consumer would find on its topic. */
const sent: Readonly<Partial<Record<Topic, BusMessage>>> = {
  [topics.turns]: message(topics.turns, 'IC.GATEWAY_RECEIVED', example('gateway-request')),
  [topics.toolInvocations]: message(topics.toolInvocations, 'IC.TOOL_REQUESTED', example('tool-invocation')),
  [topics.toolExecutions]: message(topics.toolExecutions, 'IC.TOOL_EXECUTED', example('tool-execution')),
  [topics.toolResults]: message(topics.toolResults, 'IC.TOOL_COMPLETED', {
    ...example('tool-result'),
    invocation_id: 'i1',
  }),
};

/** A valid message of a published contract. */
function example(name: string): Record<string, unknown> {
  const contract = publishedContracts.find((one) => one.name === name);
  return { ...Object(Object.values(contract?.examples.valid ?? {})[0]) };
}

function message(
  topic: Topic,
  eventType: Parameters<typeof makeEnvelope>[0]['eventType'],
  payload: Record<string, unknown>,
): BusMessage {
  const envelope = makeEnvelope({
    ...{ eventType, payload, contractVersion: 'x', tenantId: 'acme', agentId: 'a', sessionId: 's1' },
    ...{ conversationKey: 'acme:a:s1', traceId: 't', eventId: `of-${topic}`, producer: 'spec' },
    timestamp: '2026-06-19T12:00:00.000Z',
  });
  return toBusMessage(topic, envelope, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
}

function letterOf(
  of: Partial<BusMessage> & { readonly topic: Topic },
  code: ErrorCode = 'message.unhandled',
): DeadLetter {
  const { topic, key = 'acme:a:s1', value = '{}', headers = {} } = of;
  const record = recordOf(value, { topic, key, headers, partition: 1, offset: '42' });
  const { value: written } = toDeadLetter({ record, reason: { code, message: 'x' }, attempts: 3 }, by);
  return DeadLetter.parse(JSON.parse(written).payload);
}

function wordFor(letter: DeadLetter, signing?: Signing): string {
  const made = redriveLetter(letter, { letterId: 'l1', signing });
  return made.ok ? 'sent' : made.error.word;
}

const turn = sent[topics.turns] ?? message(topics.turns, 'IC.GATEWAY_RECEIVED', {});

describe('what may be sent again', () => {
  it.each(Object.entries(redriveTopics))('of %s is what the table says', (name, rule) => {
    const topic = Object.values(topics).find((one) => one === name) ?? topics.turns;
    expect(wordFor(letterOf(sent[topic] ?? { topic }))).toBe(rule.may ? 'sent' : 'never');
  });

  it.each(Object.keys(errorCatalogue).filter(isCode))('after %s is what the table says', (code) => {
    const rule = redriveCodes[code];
    const signed = { keys: { current: 'a', keys: new Map([['a', Buffer.alloc(32)]]) }, unsigned: 'accept' } as const;
    expect(wordFor(letterOf(turn, code), signed)).toBe(rule?.may === true ? 'sent' : 'never');
  });

  it('covers what drives a conversation, and leaves out what would say or ring something a second time', () => {
    const may = Object.entries(redriveTopics).filter(([, rule]) => rule.may);
    expect(may.map(([topic]) => topic)).toEqual([
      topics.turns,
      topics.toolInvocations,
      topics.toolExecutions,
      topics.toolResults,
    ]);
  });

  it('is nothing with a reason that this release does not know', () => {
    expect(ruleOfCode('message.from_the_future')).toMatchObject({ may: false });
    expect(ruleOfCode('__proto__')).toMatchObject({ may: false });
  });
});

describe('a message that is sent again', () => {
  it('has its own bytes, key, place and headers, and a mark', () => {
    const made = redriveLetter(letterOf(turn), { letterId: 'l1', signing: undefined });
    if (!made.ok) throw new Error(made.error.why);
    expect(made.value.message).toEqual({ ...turn, headers: { ...turn.headers, [redriveHeader]: 'l1' } });
    expect(isRedriven(made.value.message)).toBe(true);
    expect(isRedriven(turn)).toBe(false);
  });

  it('keeps a signature that would be masked as a number of a person', () => {
    const signature = `2027.${'a'.repeat(16)}-52998224725-${'b'.repeat(14)}`;
    const letter = letterOf({ ...turn, headers: { ...turn.headers, [signatureHeader]: signature } });
    expect(letter.source.headers).toMatchObject({ [signatureHeader]: signature });
    expect(letterOf({ ...turn, headers: { [signatureHeader]: 'CPF 529.982.247-25' } }).source.headers).toEqual({
      [signatureHeader]: 'CPF [cpf]',
    });
  });

  it('has the headers of its envelope where the letter holds them masked', () => {
    const key = 'acme:a:529.982.247-25';
    const named = { ...turn, key, value: turn.value.replaceAll('acme:a:s1', key) };
    const letter = letterOf({ ...named, headers: { ...turn.headers, ce_partitionkey: key } });
    expect(letter.source.headers).toMatchObject({ ce_partitionkey: 'acme:a:[cpf]' });
    const made = redriveLetter(letter, { letterId: 'l1', signing: undefined });
    expect(made).toMatchObject({ ok: true, value: { message: { key, headers: { ce_partitionkey: key } } } });
  });
});

describe('a message that stays where it is', () => {
  const json: Record<string, unknown> = JSON.parse(turn.value);
  const asResult = sent[topics.toolResults] ?? turn;
  const cases: readonly (readonly [why: string, word: string, letter: DeadLetter])[] = [
    ['it is no JSON', 'unreadable', letterOf({ ...turn, value: '{' }, 'message.unparsable')],
    ['it is no contract', 'unreadable', letterOf({ ...turn, value: '{"a":1}' }, 'message.invalid')],
    [
      'its major is unknown',
      'unreadable',
      letterOf(
        { ...turn, value: JSON.stringify({ ...json, contract_version: 'gateway-request-v9' }) },
        'contract.unsupported_version',
      ),
    ],
    ['its bytes are no text', 'unreadable', { ...letterOf(turn), value_base64: '/w==' }],
    ['its event has no id', 'unnamed', letterOf({ ...turn, value: JSON.stringify({ ...json, event_id: undefined }) })],
    ['a replay has published it', 'replayed', letterOf({ ...turn, value: JSON.stringify({ ...json, replay: {} }) })],
    ['its key is that of another conversation', 'unkeyed', letterOf({ ...turn, key: 'acme:a:s2' })],
    ['it had no key', 'unkeyed', { ...letterOf(turn), source: { ...letterOf(turn).source, key: null } }],
    ['it never was on its topic', 'unsent', { ...letterOf(turn), source: { ...letterOf(turn).source, offset: '-1' } }],
    ['only its beginning was kept', 'truncated', { ...letterOf(turn), truncated_from_bytes: 9 }],
    ['its key is not here', 'sealed', { ...letterOf(turn), value_base64: '', value_sealed: '2027.abc' }],
    ['its topic is of somebody else', 'never', { ...letterOf(turn), source: { ...letterOf(turn).source, topic: 'x' } }],
    ['it was forged, and nobody can tell now', 'not_authentic', letterOf(turn, 'message.not_authentic')],
    [
      'it is a result of no call',
      'unreadable',
      letterOf({ ...asResult, value: asResult.value.replace('"invocation_id":"i1"', '"x":1') }, 'message.invalid'),
    ],
  ];

  it.each(cases)('since %s', (_why, word, letter) => {
    expect(wordFor(letter)).toBe(word);
  });
});

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
