import { canonicalJson } from '@latch/contracts';
import { type TransactionEvent } from '@latch/transaction';

/**
 * The kinds of difference between two decisions about the same input, the weightiest first: a decision with several is counted under the first.
 */
export const differenceKinds = {
  other_intent: 'The message is read as another intent, goes another route, or counts as another class of message.',
  other_tool: 'Another tool is begun or called.',
  other_confirmation: 'A confirmation is asked that was not, is not asked that was, or shows something else.',
  other_call: 'A call is made that was not, is not made that was, or has other arguments or items.',
  other_question: 'Other parameters are asked for, or the message is asked about.',
  other_values: 'Other values are taken from the message.',
  other_refusal: 'Something is refused, ignored or handed to a person that was not, or the other way round.',
  other_end: 'A transaction ends, is parked, resumed or set aside in another way.',
  other_answer: 'The same is decided and something else is said.',
  other_deadline: 'Only how long something may wait is different.',
  other_detail: 'Something else that is recorded is different.',
  agent_gone: 'The configuration has no such agent.',
} as const satisfies Record<string, string>;

/** One of them. */
export type DifferenceKind = keyof typeof differenceKinds;

/** One aspect of a decision that is different. */
export type AspectDifference = {
  readonly kind: DifferenceKind;
  readonly recorded: readonly unknown[];
  readonly decided: readonly unknown[];
};

/** Compares two decisions aspect by aspect; ids that come from the configuration's digest are not compared. Empty when nothing is different. */
export function differencesOf(
  recorded: readonly TransactionEvent[],
  decided: readonly TransactionEvent[],
): readonly AspectDifference[] {
  const different = aspects.flatMap(({ kind, of }) => {
    const [was, is] = [recorded.flatMap(of), decided.flatMap(of)];
    return canonicalJson(was) === canonicalJson(is) ? [] : [{ kind, recorded: was, decided: is }];
  });
  if (different.length > 0) return different;
  const [was, is] = [recorded.map(comparable), decided.map(comparable)];
  return canonicalJson(was) === canonicalJson(is) ? [] : [{ kind: 'other_detail', recorded: was, decided: is }];
}

type Aspect = { readonly kind: DifferenceKind; readonly of: (event: TransactionEvent) => readonly unknown[] };

const aspects: readonly Aspect[] = [
  {
    kind: 'other_intent',
    of: (event) =>
      event.type === 'TurnReceived' ? [{ intent: event.intent, route: event.route, rule: event.rule }] : [],
  },
  {
    kind: 'other_tool',
    of: (event) => {
      if (event.type === 'TransactionStarted') return [{ began: event.tool }];
      return 'call' in event ? [{ called: event.call.tool, purpose: event.call.purpose }] : [];
    },
  },
  { kind: 'other_confirmation', of: shownIn },
  {
    kind: 'other_call',
    of: (event) => ('call' in event ? [{ arguments: event.call.arguments, items: event.call.items }] : []),
  },
  { kind: 'other_question', of: askedIn },
  { kind: 'other_values', of: (event) => (event.type === 'ParametersCollected' ? [event.values] : []) },
  { kind: 'other_refusal', of: refusedIn },
  { kind: 'other_end', of: endedIn },
  {
    kind: 'other_answer',
    of: (event) => (event.type === 'TurnAnswered' || event.type === 'NewsKept' ? [saidIn(event)] : []),
  },
  { kind: 'other_deadline', of: waitsIn },
];

function shownIn(event: TransactionEvent): readonly unknown[] {
  if (event.type === 'ProposalAmended') return [{ change: event.change }];
  if (event.type !== 'ConfirmationRequested') return [];
  const { tool, arguments: args, items, rejected, message, values } = event.proposal;
  return [{ tool, arguments: args, items, rejected, message, values, why: event.why }];
}

function askedIn(event: TransactionEvent): readonly unknown[] {
  if (event.type === 'ParameterRequested') return [{ missing: event.missing, why: event.why }];
  if (event.type === 'ParameterReopened') return [{ reopened: event.parameter }];
  return event.type === 'ClarificationAsked' ? [{ clarification: true }] : [];
}

function refusedIn(event: TransactionEvent): readonly unknown[] {
  const isRefusal = event.type === 'AnswerRefused' || event.type === 'InputIgnored' || event.type === 'HandedOff';
  return isRefusal ? [{ [event.type]: event.reason }] : [];
}

const departures: ReadonlySet<TransactionEvent['type']> = new Set([
  'TransactionParked',
  'TransactionResumed',
  'TransactionSetAside',
  'OutcomeBecameUnknown',
]);

function endedIn(event: TransactionEvent): readonly unknown[] {
  if (departures.has(event.type)) return [event.type];
  if (event.type !== 'TransactionEnded') return [];
  return [{ status: event.status, reason: event.reason, outcome: event.outcome }];
}

function saidIn(event: Extract<TransactionEvent, { readonly type: 'TurnAnswered' | 'NewsKept' }>): unknown {
  return event.type === 'TurnAnswered' ? event.slots : event.slot;
}

function waitsIn(event: TransactionEvent): readonly unknown[] {
  if (event.type === 'ConfirmationRequested') return [{ expiresAt: event.proposal.expiresAt }];
  if ('call' in event) return [{ expiresAt: event.call.expiresAt, deadlineAt: event.call.deadlineAt }];
  return 'deadlineAt' in event ? [{ deadlineAt: event.deadlineAt }] : [];
}

/** A fact without what follows from the configuration's digest, or from the schemas that no file pins, or was only read on the way. */
function comparable(event: TransactionEvent): unknown {
  if (event.type === 'ConfirmationRequested') {
    return { ...event, proposal: { ...event.proposal, proposalId: null, toolSchemaHash: null, configDigest: null } };
  }
  if (event.type === 'ExecutionStarted')
    return { ...event, call: { ...event.call, proposalId: null, toolSchemaHash: null } };
  const { input: _input, configDigest: _digest, ...rest } = { input: null, configDigest: null, ...event };
  return rest;
}
