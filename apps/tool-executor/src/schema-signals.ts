import { deterministicId } from '@latch/contracts';
import { type ReceivedEnvelope } from '@latch/messaging';
import { serverSignal } from './envelopes.ts';
import { type Listing } from './tool-schemas.ts';

/**
 * What a listing found new, as events: a schema that was pinned at first sight, and the change of a read, which is accepted at once and told all the same. A change
 * that waits for an operator, and one that was taken back, are alarms and told as such.
 */
export function schemaSignals({ server, changes }: Listing, timestamp: string): readonly ReceivedEnvelope[] {
  return changes.flatMap((change) => {
    const { tool, kind, isRead, observedHash, previousHash } = change;
    if (kind === 'pending' || (kind === 'accepted' && !isRead)) return [];
    const eventType = kind === 'first_sight' ? 'IC.TOOL_SCHEMA_ACCEPTED' : 'NOC.TOOL_SCHEMA_CHANGED';
    return serverSignal(server, {
      eventType,
      eventId: deterministicId(eventType, server, tool, previousHash ?? 'none', observedHash, timestamp),
      payload: {
        ...{ server, tool_name: tool, accepted: true, accepted_by: kind === 'first_sight' ? 'first_sight' : 'read' },
        ...{ observed_hash: observedHash, previous_hash: previousHash },
      },
      timestamp,
      severity: 'info',
    });
  });
}
