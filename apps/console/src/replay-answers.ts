import { type OpenApiPart, pathParameter, queryParameters, readOperation, schemaRef } from '@latch/http';
import { ConversationQuery } from '@latch/read-api';
import { z } from 'zod';

const asked = {
  conversation_key: z.string(),
  tenant_id: z.string(),
  events: z.int().describe('Events that were looked at.'),
};

/** What `verify` says of one conversation: the chain of its events, its head, and the heads that were sealed. */
export const Verified = z.looseObject({
  ...asked,
  verdict: z.enum(['equal', 'differs']).describe('Whether its events are what was written.'),
  sealed_events: z.int().describe('Events up to the last head that a seal has signed for.'),
  problem: z
    .looseObject({
      kind: z.string().describe('As `latch verify` names it, such as `event_altered`.'),
      version: z.int().nullable().describe('The first version that cannot be trusted.'),
      until_version: z.int().nullable().describe('The last that it may be, where a seal narrows it no further.'),
      detail: z.string(),
    })
    .nullable(),
});

const verdict = z
  .enum(['equal', 'differs', 'erased', 'unreadable'])
  .describe(
    '`erased`: personal data that it would need is gone; that is no difference. `unreadable`: somebody altered an event, which `verify` names; where it finds nothing, this release trips over one.',
  );

/** What `replay rebuild` says of one conversation: whether the fold of its events is the state that is stored. */
export const Rebuilt = z.looseObject({
  ...asked,
  verdict,
  path: z.string().nullable().describe('Where in the state the first difference stands, as a JSON path.'),
});

/** What `replay redecide` says of one conversation: whether the engine decides again what it decided then. */
export const Redecided = z.looseObject({
  ...asked,
  verdict,
  divergence: z
    .looseObject({
      version: z.int().describe('Version of the first event of the decision.'),
      reason: z.enum(['differs', 'config_unknown']),
      input: z.string().describe('Type of what was decided about.'),
      recorded: z.array(z.string()).describe('Types of the events that were recorded.'),
      decided: z.array(z.string()).describe('Types of the events that come out now.'),
      path: z.string().describe('Where in the events of the decision the first difference stands, as a JSON path.'),
    })
    .nullable(),
});

/** The schemas that `replayPaths` points at. */
export const replaySchemas = { Verified, Rebuilt, Redecided };

/** The paths of the three words, for the OpenAPI document. */
export function replayPaths(): OpenApiPart {
  const word = (operationId: string, summary: string, schema: keyof typeof replaySchemas): OpenApiPart =>
    readOperation(operationId, {
      tag: 'console',
      scopes: ['operate'],
      summary,
      parameters: [
        pathParameter('key', 'tenant_id:agent_id:session_id, percent-encoded.'),
        ...queryParameters(ConversationQuery),
      ],
      schema: schemaRef(schema),
    });
  return {
    '/v1/conversations/{key}/verify': word(
      'verifyConversation',
      'Whether the events of a conversation are what was written: hash chain, head, and the heads that were sealed.',
      'Verified',
    ),
    '/v1/conversations/{key}/rebuild': word(
      'rebuildConversation',
      'Whether the fold of the events of a conversation is the state that is stored.',
      'Rebuilt',
    ),
    '/v1/conversations/{key}/redecide': word(
      'redecideConversation',
      'Whether every decision of a conversation comes out again from what was recorded. Nothing is done.',
      'Redecided',
    ),
  };
}
