import { type BusMessage, type DeadLetterRedrive, deterministicId, topics } from '@latch/contracts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { type ReceivedEnvelope } from './parse-record.ts';

/**
 * The message that remembers that a letter is sent again. It lies on the dead-letter topic itself, behind its letter and under the same key: it is kept for as long
 * as the letter, and whoever reads the one has read the other.
 */
export function redriveMark(
  letter: Pick<
    ReceivedEnvelope,
    'tenant_id' | 'agent_id' | 'session_id' | 'conversation_key' | 'trace_id' | 'event_id'
  >,
  redrive: DeadLetterRedrive,
): BusMessage {
  const envelope = makeEnvelope({
    eventType: 'IC.DEAD_LETTER_REDRIVEN',
    payload: redrive,
    contractVersion: 'dead-letter-redrive-v1',
    tenantId: letter.tenant_id,
    agentId: letter.agent_id,
    sessionId: letter.session_id,
    conversationKey: letter.conversation_key,
    traceId: letter.trace_id,
    eventId: deterministicId(
      'redrive',
      redrive.run_id,
      letter.event_id,
      redrive.letter.partition,
      redrive.letter.offset,
      redrive.step,
    ),
    causationId: letter.event_id,
    producer: 'latch',
    timestamp: redrive.at,
  });
  return toBusMessage(topics.deadLetters, envelope);
}
