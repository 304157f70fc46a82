import { describe, expect, it } from '@jest/globals';
import { isRecord, jsonSchemaOf, publishedContracts } from '@latch/contracts';
import { findBreakingChanges } from './find-breaking-changes.ts';
import { type Schema } from './schema-narrowings.ts';

/** A part of a schema that pins its meaning, and where it stands in the document. */
type Pin = { readonly at: readonly (string | number)[]; readonly meaning: string };

function pinsIn(node: unknown, at: Pin['at'] = []): readonly Pin[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => pinsIn(one, [...at, index]));
  if (!isRecord(node)) return [];
  const own = typeof node['x-meaning'] === 'string' ? [{ at, meaning: node['x-meaning'] }] : [];
  return [...own, ...Object.entries(node).flatMap(([name, part]) => pinsIn(part, [...at, name]))];
}

/** The schema with another meaning at one place; undefined takes it away. */
function withMeaning(schema: Schema, at: Pin['at'], meaning: string | undefined): Schema {
  const copy: unknown = structuredClone(schema);
  const target = at.reduce<unknown>((held, step) => Reflect.get(Object(held), step), copy);
  if (meaning === undefined) Reflect.deleteProperty(Object(target), 'x-meaning');
  else Reflect.set(Object(target), 'x-meaning', meaning);
  return isRecord(copy) ? copy : {};
}

/** The name of the field that is pinned, as `tool-result items.outcome`: the steps that lead to it through `properties`. */
const nameOf = (contract: string, { at }: Pin): string =>
  `${contract} ${at.filter((_, index) => at[index - 1] === 'properties').join('.')}`;

const pinned = publishedContracts.flatMap(({ name, schema }) => {
  const json = jsonSchemaOf(schema);
  return pinsIn(json).map((pin): [string, Schema, Pin] => [nameOf(name, pin), json, pin]);
});

describe('the meanings on which the safety of a transaction rests', () => {
  it('are pinned', () => {
    expect(pinned.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        ...['tool-result ok', 'tool-result outcome', 'tool-result partial_success', 'tool-result items.outcome'],
        ...['tool-result items.is_retryable', 'tool-result secondary_error', 'tool-result empty'],
        ...['structured-error isRetryable', 'structured-error errorCategory', 'tool-execution outcome.result.isError'],
        ...['tool-invocation proposal_id', 'tool-invocation idempotency_key', 'tool-invocation expires_at', 'tool-invocation arguments'],
        ...['pre-validation-answer eligible', 'transaction-decision resolved_arguments', 'agent-state confirmation_received'],
        ...['gateway-request payload.message_id', 'gateway-request payload.inputs.proposal_id', 'gateway-request payload.inputs.confirmation'],
        ...['channel-response metadata.proposal_id', 'event-envelope event_id', 'event-envelope conversation_key', 'alarm alarm_id'],
        ...['evaluation-result scores.verdict', 'certification-result scores.verdict'],
      ]),
    );
  });

  it.each(pinned)('cannot change or go within a major: %s', (_, schema, { at }) => {
    for (const meaning of ['something else', undefined]) {
      const rules = findBreakingChanges(schema, withMeaning(schema, at, meaning)).map(({ rule }) => rule);
      expect(rules.length).toBeGreaterThan(0);
      expect(new Set(rules)).toEqual(new Set(['changed_meaning']));
    }
  });
});
