import { createHash } from 'node:crypto';
import {
  type AgentConfig,
  ChannelResponse,
  digest,
  EventEnvelope,
  type EvidenceBundle,
  EvidenceReceipt,
  type EvidenceSealProof,
  type EvidenceTurn,
  platformVersion,
  ResultItem,
} from '@latch/contracts';
import {
  genesisHash,
  isErased,
  type LedgerEntry,
  type SealOfStream,
  type StoredEvent,
  type StoredStream,
  type StoredTransaction,
  type StoredTurn,
} from '@latch/event-store';
import { eventEnvelopeOf } from './event-envelope-of.ts';
import { type BundledFact, factsOfType, factsOfBundle } from './facts-of-bundle.ts';
import { ownEvents } from './own-events.ts';

/** Everything that a bundle is made of. */
export type BundleSource = {
  readonly transaction: StoredTransaction;
  readonly stream: StoredStream;
  readonly receipts: readonly LedgerEntry[];
  /** Turns of the conversation, by their ids. */
  readonly turns: ReadonlyMap<string, StoredTurn>;
  /** What opens the sealed part of an event, by its version. */
  readonly openings: ReadonlyMap<number, string>;
  readonly seal: SealOfStream | undefined;
  readonly configurations: readonly AgentConfig[];
  /** Public keys of seals, SPKI in base64, where the exporter knows them. */
  readonly publicKeys: readonly string[];
  /** UTC. */
  readonly exportedAt: string;
};

/** Makes the evidence bundle of a transaction. The same source gives the same bytes. */
export function makeBundle(source: BundleSource): EvidenceBundle {
  const { transaction, stream, exportedAt } = source;
  const { conversation, events } = stream;
  const own = ownEvents(events, transaction.id);
  const told = own.map((event) => eventEntry(event, source));
  const facts = factsOfBundle({ events: told });
  const started = factsOfType(facts, 'TransactionStarted').find(({ fact }) => fact.transactionId === transaction.id);
  const bundle: EvidenceBundle = {
    contract_version: 'evidence-bundle-v1',
    transaction_id: transaction.id,
    conversation_key: conversation.conversationKey,
    tenant_id: conversation.tenantId,
    agent_id: conversation.agentId,
    config_digest: started?.fact.configDigest ?? null,
    exported_at: exportedAt,
    exported_by: platformVersion,
    locale: source.configurations[0]?.locale ?? 'en',
    erased: own.some((event) => event.isErased === true),
    events: told,
    chain: chainOf(stream),
    head_hash: conversation.headHash,
    seals: source.seal === undefined ? [] : [sealEntry(source.seal)],
    public_keys: [...source.publicKeys],
    contracts,
    configurations: source.configurations.map((agent) => ({ ...agent })),
    transaction: summaryOf(transaction),
    items: itemsOf(facts, transaction),
    capsules: capsulesOf(facts, transaction.id),
    receipts: source.receipts.map(receiptOf),
    turns: turnsOf(facts, source.turns),
  };
  // Only what JSON holds is digested: whoever reads the file sees nothing else.
  const written: EvidenceBundle = JSON.parse(JSON.stringify(bundle));
  return { ...written, digest: digest(written) };
}

const contracts = {
  'evidence-bundle': 'evidence-bundle-v1',
  'event-envelope': 'event-envelope-v1',
  'tool-invocation': 'tool-invocation-v1',
  'tool-execution': 'tool-execution-v1',
  'tool-result': 'tool-result-v1',
};

function eventEntry(event: StoredEvent, { stream, openings }: BundleSource): EvidenceBundle['events'][number] {
  return {
    envelope: eventEnvelopeOf(event, stream.conversation),
    hash: event.hash,
    stored: event.payloadText,
    opening: openings.get(event.version) ?? null,
  };
}

function chainOf({ conversation, events }: StoredStream): EvidenceBundle['chain'] {
  const { streamId, conversationKey, tenantId } = conversation;
  return {
    algorithm: 'sha256-chain-v1',
    stream_id: streamId,
    genesis_hash: genesisHash({ streamId, conversationKey, tenantId }),
    links: events.map((event) => ({
      sequence: event.version,
      event_id: event.eventId,
      type: event.type,
      occurred_at: event.occurredAt,
      causation_id: event.causationId,
      message_id: event.messageId,
      transaction_id: event.transactionId,
      trace_id: event.traceId,
      payload_digest: createHash('sha256').update(event.payloadText).digest('hex'),
      hash: event.hash,
    })),
  };
}

function sealEntry({ seal, head, proof }: SealOfStream): EvidenceSealProof {
  return {
    seal: {
      number: seal.number,
      previous_hash: seal.previousHash,
      sealed_at: seal.sealedAt,
      written_by: seal.writtenBy,
      position: seal.position,
      events: seal.events,
      heads: seal.heads,
      heads_digest: seal.headsDigest,
      key_id: seal.keyId,
      hash: seal.hash,
      signature: seal.signature,
    },
    head: { version: head.version, hash: head.hash },
    proof: proof.map(({ side, hash }) => ({ side, hash })),
  };
}

function summaryOf(transaction: StoredTransaction): EvidenceBundle['transaction'] {
  const { tool, status, rev, outcome, startedAt: started_at, endedAt: ended_at } = transaction;
  return { tool, status, rev, outcome, started_at, ended_at };
}

/** What the tool said of each item, as the engine recorded it with the end. */
function itemsOf(facts: readonly BundledFact[], { id }: StoredTransaction): ResultItem[] {
  const ended = factsOfType(facts, 'TransactionEnded').filter(({ fact }) => fact.transactionId === id);
  const items: unknown = ended.at(-1)?.fact.items ?? [];
  return isErased(items) ? [] : ResultItem.array().parse(items);
}

/** The proposals that were shown, each with its yes. */
export function capsulesOf(facts: readonly BundledFact[], id: string): NonNullable<EvidenceBundle['capsules']> {
  const confirmed = factsOfType(facts, 'UserConfirmed').filter(({ fact }) => fact.transactionId === id);
  return factsOfType(facts, 'ConfirmationRequested')
    .filter(({ fact }) => fact.transactionId === id)
    .map(({ sequence, fact: { proposal } }) => ({
      proposal_id: proposal.proposalId,
      rev: proposal.rev,
      sequence,
      confirmed_in:
        confirmed.find(({ fact }) => fact.confirmation.proposalId === proposal.proposalId)?.sequence ?? null,
    }));
}

function receiptOf({ invocationId, approved, status, attempts, execution }: LedgerEntry): EvidenceReceipt {
  return EvidenceReceipt.parse({
    invocation_id: invocationId,
    purpose: approved.purpose,
    tool: approved.tool,
    idempotency_key: approved.idempotencyKey,
    proposal_id: approved.proposalId,
    approved_digest: approved.digest,
    invocation: approved.invocation,
    status,
    attempts,
    execution,
  });
}

function turnsOf(facts: readonly BundledFact[], turns: ReadonlyMap<string, StoredTurn>): EvidenceTurn[] {
  const answered = factsOfType(facts, 'TurnAnswered');
  return factsOfType(facts, 'TurnReceived').map(({ sequence, fact: { input } }) => {
    const answer = answered.find(({ fact }) => fact.turnId === input.turnId);
    return {
      turn_id: input.turnId,
      message_id: input.messageId,
      sequence,
      said_at: input.at,
      channel: input.channel,
      said: isErased(input.text) ? null : input.text,
      inputs: isErased(input.inputs) ? null : input.inputs,
      answer: answer
        ? {
            sequence: answer.sequence,
            text: textOf(turns.get(input.turnId)?.response ?? null),
            answered_at: answer.fact.answeredAt,
          }
        : null,
    };
  });
}

function textOf(response: string | null): string | null {
  return response === null ? null : ChannelResponse.parse(EventEnvelope.parse(JSON.parse(response)).payload).text;
}
