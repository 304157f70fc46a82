import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import fc from 'fast-check';
import { erased } from './erased.ts';
import { personalFields, personalPathsOf } from './personal-fields.ts';
import { sealedPartOf, sealPayload, unsealPayload } from './seal-payload.ts';

/** Stands in for the cipher: readable, and of the shape of a sealed value. */
const seal = (text: string): string => `~1${Buffer.from(text).toString('base64url')}`;
const open = (sealed: string): string => Buffer.from(sealed.slice(2), 'base64url').toString();

const types = Object.keys(personalFields);

/** A payload of an event type with something in every one of its fields. */
function payloads(type: string): fc.Arbitrary<object> {
  const marks: unknown = Reflect.get(personalFields, type);
  const paths = Object.entries(Object(marks));
  return fc
    .tuple(...paths.map(([, marks]) => valueOf(marks)))
    .map((values) => ({ type, ...Object.fromEntries(paths.map(([field], index) => [field, values[index]])) }));
}

function valueOf(marks: unknown): fc.Arbitrary<unknown> {
  if (typeof marks !== 'object' || marks === null) return fc.jsonValue();
  return fc.oneof(
    fc.constant(null),
    fc.record(Object.fromEntries(Object.keys(marks).map((name) => [name, fc.jsonValue()])), { requiredKeys: [] }),
  );
}

describe('the payload of an event', () => {
  it('comes back as it was, whatever its type', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...types).chain((type) => payloads(type).map((payload) => ({ type, payload }))),
        ({ type, payload }) => {
          const stored: unknown = JSON.parse(canonicalJson(sealPayload(type, payload, seal)));
          const part = sealedPartOf(stored);
          const read = part === undefined ? stored : unsealPayload(type, stored, open(part));
          expect(canonicalJson(read)).toBe(canonicalJson(payload));
        },
      ),
    );
  });

  it('is sealed whole when nobody knows its type, or when it is no object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const stored = sealPayload('SomethingNew', payload, seal);
        expect(Object.keys(Object(stored))).toEqual(['~']);
        expect(canonicalJson(unsealPayload('SomethingNew', stored, open(sealedPartOf(stored) ?? '')))).toBe(
          canonicalJson(payload),
        );
      }),
    );
  });

  it('keeps readable what says nothing about a person', () => {
    const payload = {
      type: 'TurnReceived',
      input: { type: 'UserSpoke', turnId: 't1', text: 'meu CPF é 529.982.247-25', userId: 'ana', inputs: null },
      status: 'IDLE',
    };
    const stored = sealPayload('TurnReceived', payload, seal);
    expect(stored).toMatchObject({
      type: 'TurnReceived',
      status: 'IDLE',
      input: { type: 'UserSpoke', turnId: 't1', inputs: null },
    });
    expect(canonicalJson(stored)).not.toMatch(/529\.982|"ana"/);
  });

  it('holds the marker in the place of each personal field once it is erased', () => {
    const payload = { type: 'TurnReceived', input: { turnId: 't1', text: 'oi', inputs: null }, status: 'IDLE' };
    const read = unsealPayload('TurnReceived', sealPayload('TurnReceived', payload, seal), null);
    expect(read).toMatchObject({ status: 'IDLE', input: { turnId: 't1', inputs: null, text: erased, userId: erased } });
    expect(unsealPayload('SomethingNew', { '~': '~1AA' }, null)).toEqual({ type: 'SomethingNew', erased: true });
  });
});

describe('the catalogue of personal fields', () => {
  it('knows what a person said, what was asked for, and what a tool answered', () => {
    expect(personalPathsOf('TurnReceived')).toEqual(
      expect.arrayContaining(['input.text', 'input.userId', 'input.understanding', 'input.businessContext']),
    );
    expect(personalPathsOf('ConfirmationRequested')).toEqual(
      expect.arrayContaining(['proposal.arguments', 'proposal.items', 'proposal.message']),
    );
    expect(personalPathsOf('ToolResultReceived')).toEqual(['input.result']);
    expect(personalPathsOf('ClarificationAsked')).toEqual([]);
  });
});
