import { digest, type EvidenceBundle } from '@latch/contracts';
import { genesisHash } from '@latch/event-store';
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
    if (linkHash(chain.stream_id, previous, link) !== link.hash)
      return [finding('chain', place, 'its hash does not follow')];
    previous = link.hash;
  }
  return previous === head ? [] : [finding('chain', 'head', 'the last event has another hash')];
}

/** The hash of an event, from the digest of its payload: the same as the store computes (`eventHash`). */
function linkHash(streamId: string, previous: string, link: Chain['links'][number]): string {
  return digest({
    chain: 'v1',
    stream_id: streamId,
    stream_version: link.sequence,
    previous,
    event_id: link.event_id,
    type: link.type,
    occurred_at: link.occurred_at,
    causation_id: link.causation_id,
    message_id: link.message_id,
    transaction_id: link.transaction_id,
    trace_id: link.trace_id,
    payload_digest: link.payload_digest,
  });
}
