import { type TransactionEvent } from '@latch/transaction';

/** `personal`: sealed in the store. `plain`: kept readable, because it says nothing about a person. */
export type Mark = 'personal' | 'plain';

/** The marks of one event type: of each field, or of the fields inside one. */
export type EventMarks = Readonly<Record<string, Mark | Readonly<Record<string, Mark>>>>;

type EventOf<T extends TransactionEvent['type']> = Extract<TransactionEvent, { readonly type: T }>;
type KeysOf<V> = V extends object ? keyof V : never;

/**
 * Every field of every event, and for `input` every field of the input, must be marked: a field that is added to an event and not here does not compile. A
 * field may be marked as a whole or, where a part of it stays readable, field by field.
 */
type Complete = {
  readonly [T in TransactionEvent['type']]: {
    readonly [F in Exclude<KeysOf<EventOf<T>>, 'type'>]: Mark | InsideOf<EventOf<T>, F>;
  };
};
type InsideOf<E, F> = F extends KeysOf<E> ? { readonly [K in KeysOf<NonNullable<E[F & keyof E]>>]: Mark } : never;

/** A tool call keeps readable what it was and when; what it carried is personal. */
const call = {
  invocationId: 'plain',
  purpose: 'plain',
  tool: 'plain',
  arguments: 'personal',
  items: 'personal',
  rev: 'plain',
  proposalId: 'plain',
  toolSchemaHash: 'plain',
  idempotencyKey: 'plain',
  startedAt: 'plain',
  expiresAt: 'plain',
  deadlineAt: 'plain',
  traceId: 'plain',
  turn: 'personal',
} as const;

const confirmation = {
  proposalId: 'plain',
  rev: 'plain',
  turnId: 'plain',
  userId: 'personal',
  confirmedAt: 'plain',
} as const;

const userSpoke = {
  type: 'plain',
  turnId: 'plain',
  messageId: 'plain',
  channel: 'plain',
  userId: 'personal',
  text: 'personal',
  inputs: 'personal',
  understanding: 'personal',
  businessContext: 'personal',
  sources: 'personal',
  unread: 'personal',
  // Of a short message it could be guessed what it is the digest of.
  bodyDigest: 'personal',
  at: 'plain',
  traceId: 'plain',
} as const;

const toolResultArrived = {
  type: 'plain',
  invocationId: 'plain',
  result: 'personal',
  eventId: 'plain',
  at: 'plain',
} as const;
const deadlinePassed = { type: 'plain', transactionId: 'plain', rev: 'plain', at: 'plain' } as const;

/**
 * The personal fields of the events, the one list of them (invariant I16). Ids, names of tools and parameters, statuses and times are plain; what a person
 * said, who the person is, what was asked for on the person's behalf and what a tool answered is personal.
 */
export const personalFields = {
  TurnReceived: {
    input: userSpoke,
    status: 'plain',
    rule: 'plain',
    intent: 'plain',
    route: 'plain',
    configDigest: 'plain',
  },
  DeadlineReached: { input: deadlinePassed },
  InputIgnored: { input: { ...userSpoke, ...toolResultArrived, ...deadlinePassed }, reason: 'plain' },
  AnswerRefused: { turnId: 'plain', reason: 'plain', proposalId: 'plain' },
  ClarificationAsked: { turnId: 'plain' },
  HandedOff: { transactionId: 'plain', reason: 'plain' },
  ResumeOffered: { transactionId: 'plain' },
  InconsistencyFound: { turnId: 'plain', detail: 'personal' },
  InconsistencyCleared: { turnId: 'plain' },
  NewsKept: { slot: 'personal' },
  TurnAnswered: { turnId: 'plain', slots: 'personal', answeredAt: 'plain' },
  TransactionStarted: {
    transactionId: 'plain',
    tool: 'plain',
    intent: 'plain',
    userId: 'personal',
    configDigest: 'plain',
    lineage: 'plain',
    deadlineAt: 'plain',
    startedAt: 'plain',
  },
  ParametersCollected: { transactionId: 'plain', values: 'personal', sources: 'plain', corrections: 'personal' },
  BusinessContextReceived: { transactionId: 'plain', businessContext: 'personal' },
  ParameterReopened: { transactionId: 'plain', parameter: 'plain', detail: 'personal' },
  ParameterRequested: {
    transactionId: 'plain',
    missing: 'plain',
    why: 'plain',
    detail: 'personal',
    deadlineAt: 'plain',
  },
  ConfirmationRequested: {
    transactionId: 'plain',
    proposal: {
      proposalId: 'plain',
      rev: 'plain',
      tool: 'plain',
      toolSchemaHash: 'plain',
      arguments: 'personal',
      items: 'personal',
      rejected: 'personal',
      message: 'personal',
      values: 'personal',
      configDigest: 'plain',
      principal: 'personal',
      expiresAt: 'plain',
    },
    why: 'plain',
  },
  ProposalAmended: { transactionId: 'plain', proposalId: 'plain', change: 'personal' },
  ApprovalOutdated: { transactionId: 'plain', reason: 'plain', configDigest: 'plain', deadlineAt: 'plain' },
  TransactionParked: { transactionId: 'plain', deadlineAt: 'plain', parkedAt: 'plain' },
  TransactionResumed: { transactionId: 'plain', deadlineAt: 'plain' },
  PreValidationRequested: { transactionId: 'plain', call, why: 'plain' },
  PreValidated: {
    transactionId: 'plain',
    preValidation: {
      invocationId: 'plain',
      tool: 'plain',
      eligible: 'plain',
      status: 'plain',
      reason: 'personal',
      resolvedArguments: 'personal',
      confirmationMessage: 'personal',
    },
  },
  UserConfirmed: { transactionId: 'plain', confirmation },
  UserDeclined: { transactionId: 'plain', proposalId: 'plain', turnId: 'plain' },
  ExecutionStarted: { transactionId: 'plain', call, confirmation },
  ToolResultReceived: { input: toolResultArrived, transactionId: 'plain' },
  OutcomeBecameUnknown: { transactionId: 'plain', error: 'personal', nextCheckAt: 'plain' },
  ReconciliationStarted: { transactionId: 'plain', call },
  ReconciliationFailed: { transactionId: 'plain', nextCheckAt: 'plain' },
  TransactionSetAside: { transactionId: 'plain' },
  TransactionEnded: {
    transactionId: 'plain',
    status: 'plain',
    reason: 'plain',
    detail: 'personal',
    outcome: 'plain',
    items: 'personal',
    error: 'personal',
    endedInTurn: 'plain',
    endedAt: 'plain',
  },
} as const satisfies Complete;

const marksByType: ReadonlyMap<string, EventMarks> = new Map(Object.entries(personalFields));

/** The marks of an event type; undefined for one that is not known here: then everything in it is treated as personal. */
export function marksOf(type: string): EventMarks | undefined {
  return marksByType.get(type);
}

/** The paths of the personal fields of an event type, such as `input.text`. */
export function personalPathsOf(type: string): readonly string[] {
  return Object.entries(marksOf(type) ?? {}).flatMap(([field, marks]) => {
    if (marks === 'personal') return [field];
    if (marks === 'plain') return [];
    return Object.entries(marks).flatMap(([inner, mark]) => (mark === 'personal' ? [`${field}.${inner}`] : []));
  });
}
