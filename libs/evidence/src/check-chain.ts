import { type EvidenceBundle } from '@latch/contracts';
import { type ChainLink, genesisHash, linkHash } from '@latch/event-store';
import { type Finding, finding } from './finding.ts';

type Chain = NonNullable<EvidenceBundle['chain']>;

/** Computes the chain again from the first event of the conversation to its head. Stops at the first link that does not hold: all after it hang on it. */
export function checkChain(bundle: EvidenceBundle): readonly Finding[] {
  const { chain, conversation_key: conversationKey, tenant_id: tenantId, head_hash: head } = bundle;
  if (chain === undefined) return [finding('chain', 'chain', 'it is not in the file')];
  const genesis = genesisHash({ streamId: chain.stream_id, conversationKey, tenantId });
  if (genesis !== chain.genesis_hash)
    return [finding('chain', 'genesis', 'it belongs to another stream, conversation or tenant')];
  let previous = genesis;
  for (const [index, link] of chain.links.entries()) {
    const place = `event ${index + 1}`;
    if (link.sequence !== index + 1)
      return [finding('chain', place, `it is missing; event ${link.sequence} stands there`)];
    if (linkHash(chain.stream_id, previous, storedLink(link)) !== link.hash)
      return [finding('chain', place, 'its hash does not follow')];
    previous = link.hash;
  }
  return previous === head ? [] : [finding('chain', 'head', 'the last event has another hash')];
}

/** The link as the store hashes it. */
function storedLink(link: Chain['links'][number]): ChainLink {
  return {
    version: link.sequence,
    eventId: link.event_id,
    type: link.type,
    occurredAt: link.occurred_at,
    causationId: link.causation_id,
    messageId: link.message_id,
    transactionId: link.transaction_id,
    traceId: link.trace_id,
    payloadDigest: link.payload_digest,
  };
}
