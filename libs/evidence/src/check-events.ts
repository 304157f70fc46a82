import { createHash } from 'node:crypto';
import { ConversationKey, type EvidenceBundle } from '@latch/contracts';
import { eventPlace, sealedPartOf, unsealPayload, unsealWith } from '@latch/event-store';
import { evidenceType } from '@latch/transaction';
import { envelopeFrame, payloadOf } from './event-envelope-of.ts';
import { type Finding, finding, isSame } from './finding.ts';

type Link = NonNullable<EvidenceBundle['chain']>['links'][number];
type Entry = EvidenceBundle['events'][number];

/** Each whole event is the one of its link, and says what was stored and sealed; none of the transaction's is left out. */
export function checkEvents(bundle: EvidenceBundle): readonly Finding[] {
  const links = new Map((bundle.chain?.links ?? []).map((link) => [link.sequence, link]));
  const there = new Set(bundle.events.map(({ envelope }) => envelope.sequence));
  const missing = [...links.values()].filter(
    ({ sequence, transaction_id }) => transaction_id === bundle.transaction_id && !there.has(sequence),
  );
  return [
    ...erasedProblems(bundle),
    ...missing.map(({ sequence }) =>
      finding('events', `event ${sequence}`, 'it belongs to the transaction and is not in the file'),
    ),
    ...bundle.events.flatMap((entry, index) =>
      checkEvent(entry, { bundle, index, link: links.get(entry.envelope.sequence ?? 0) }),
    ),
  ];
}

/** The file says that it is erased exactly where it does not open what was sealed. */
function erasedProblems(bundle: EvidenceBundle): readonly Finding[] {
  const isUnopened = bundle.events.some(({ stored, opening }) => (opening ?? null) === null && isSealedText(stored));
  if (bundle.erased !== true || isUnopened) return [];
  return [finding('erased', 'file', 'it says that it is erased, and everything in it is opened')];
}

function isSealedText(stored: string | undefined): boolean {
  return stored !== undefined && sealedPartOf(JSON.parse(stored)) !== undefined;
}

type Around = { readonly bundle: EvidenceBundle; readonly index: number; readonly link: Link | undefined };

function checkEvent(entry: Entry, { bundle, index, link }: Around): readonly Finding[] {
  const place = `event ${entry.envelope.sequence ?? `number ${index + 1} of the file`}`;
  if (link === undefined) return [finding('events', place, 'it has no link in the chain')];
  const before = bundle.events[index - 1]?.envelope.sequence ?? 0;
  const isInOrder = (entry.envelope.sequence ?? 0) > before;
  const problems = [
    ...(isInOrder ? [] : ['it stands out of order']),
    ...envelopeProblems(entry, link, bundle),
    ...payloadProblems(entry, link, bundle),
  ];
  return problems.map((problem) => finding('events', place, problem));
}

function envelopeProblems({ envelope, hash }: Entry, link: Link, bundle: EvidenceBundle): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['hash', hash, link.hash],
    ['hash', envelope['hash'], link.hash],
    ['event_id', envelope.event_id, link.event_id],
    ['event_type', envelope.event_type, evidenceType(link.type)],
    ['timestamp', envelope.timestamp, link.occurred_at],
    ['causation_id', envelope.causation_id ?? null, link.causation_id],
    ['message_id', envelope.message_id ?? null, link.message_id],
    ['transaction_id', envelope.transaction_id ?? null, link.transaction_id],
    ['trace_id', envelope.trace_id, link.trace_id],
    ['tenant_id', envelope.tenant_id, bundle.tenant_id],
    ['agent_id', envelope.agent_id, bundle.agent_id],
    ['conversation_key', envelope.conversation_key, bundle.conversation_key],
  ];
  const frame: Readonly<Record<string, unknown>> = envelopeFrame(sessionOf(bundle));
  const known = new Set([...pairs.map(([name]) => name), ...Object.keys(frame), 'payload', 'sequence']);
  return [
    ...pairs.filter(([, is, should]) => is !== should).map(([name]) => `its ${name} is another one`),
    ...Object.entries(frame)
      .filter(([name, should]) => envelope[name] !== should)
      .map(([name]) => `its ${name} is another one`),
    ...Object.keys(envelope)
      .filter((name) => !known.has(name))
      .map((name) => `it has a member that nothing proves: ${JSON.stringify(name)}`),
  ];
}

/** What the key of the conversation says behind tenant and agent. */
function sessionOf({ conversation_key: key, tenant_id: tenant, agent_id: agent }: EvidenceBundle): string {
  return key.slice(`${tenant}:${agent}:`.length);
}

function payloadProblems({ envelope, stored, opening }: Entry, link: Link, bundle: EvidenceBundle): readonly string[] {
  if (stored === undefined) return ['its stored payload is not in the file'];
  if (createHash('sha256').update(stored).digest('hex') !== link.payload_digest)
    return ['its stored payload is another one'];
  const opened = openStored(stored, opening ?? null, { link, bundle });
  if (typeof opened === 'string') return [opened];
  return isSame(envelope.payload, payloadOf(opened.payload)) ? [] : ['its payload is not what was stored'];
}

/** The payload as it was before it was sealed, or what is wrong. */
function openStored(
  stored: string,
  opening: string | null,
  { link, bundle }: { readonly link: Link; readonly bundle: EvidenceBundle },
): { readonly payload: unknown } | string {
  const value: unknown = JSON.parse(stored);
  const part = sealedPartOf(value);
  if (part === undefined) return opening === null ? { payload: value } : 'it has an opening and nothing that is sealed';
  if (opening === null) {
    return bundle.erased === true
      ? { payload: unsealPayload(link.type, value, null) }
      : 'its sealed part is not opened, and the file does not say that it is erased';
  }
  const key = Buffer.from(opening, 'base64url');
  if (key.toString('base64url') !== opening) return 'its opening is not written as base64url is';
  const conversationKey = ConversationKey.parse(bundle.conversation_key);
  const where = { tenantId: bundle.tenant_id, conversationKey, version: link.sequence, type: link.type };
  const opened = unsealWith(part, key, eventPlace(where));
  return opened.ok
    ? { payload: unsealPayload(link.type, value, opened.value) }
    : 'its sealed part does not open: altered, or moved';
}
