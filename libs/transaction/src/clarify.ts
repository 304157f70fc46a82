import { advance, requestParameter } from './advance.ts';
import { confirmationSlot } from './confirmation.ts';
import { type Draft, type Opened, openedIn, record, say, toolOf } from './draft.ts';
import { type Message } from './message.ts';
import { outcomeUnknownSlot } from './outcome-slot.ts';
import { missingParameters, parameterView } from './parameters.ts';
import { type ReplySlot } from './reply.ts';
import { itemsKnownOf } from './settled-items.ts';
import { collect } from './start-transaction.ts';
import { type UnknownTransaction } from './state.ts';

/** Nothing in the message leads on: everything is kept and the question is put again, unless the sources beside the text fill what is open. */
export function keepAndClarify(draft: Draft, message: Message): Draft {
  if (draft.state.transaction?.status !== 'COLLECTING_PARAMETERS') return clarify(draft, message.turn.turnId, restate);
  const { draft: collected } = collect(draft, message, message.said);
  if (collected.events.some(({ type }) => type === 'ParametersCollected')) return advance(collected, 'first');
  return clarify(collected, message.turn.turnId, (asked) =>
    requestParameter(asked, { missing: missingIn(asked), why: 'unclear', detail: null }),
  );
}

/** A value was given and breaks its declaration: says what is wrong with it and asks again. */
export function askAgain(draft: Draft, message: Message): Draft {
  const missing = missingIn(draft);
  const refused = missing.find((name) => message.invalid[name] !== undefined);
  if (refused === undefined) return keepAndClarify(draft, message);
  const others = missing.filter((name) => name !== refused);
  return clarify(draft, message.turn.turnId, (asked) =>
    requestParameter(asked, {
      missing: [refused, ...others],
      why: 'invalid',
      detail: message.invalid[refused] ?? null,
    }),
  );
}

/** Says again what the conversation waits for; decides nothing. */
export function restate(draft: Draft): Draft {
  const opened = openedIn(draft);
  if (opened === null) return draft;
  const { tool, transaction } = opened;
  switch (transaction.status) {
    case 'COLLECTING_PARAMETERS':
      return restateQuestion(draft);
    case 'AWAITING_CONFIRMATION':
      return say(draft, confirmationSlot(tool.label, transaction.proposal, 'unclear'));
    case 'PRE_VALIDATION':
    case 'EXECUTING':
      return say(draft, { kind: 'working', toolLabel: tool.label });
    case 'OUTCOME_UNKNOWN':
      return say(draft, stillUnknownSlot(opened, transaction));
    default:
      return transaction satisfies never;
  }
}

/** What was set aside and is still unknown is not forgotten: somebody who asks for nothing in particular may be asking for that. */
export function sayWhatIsUnknown(draft: Draft): Draft {
  const slots = draft.state.unresolved.map((transaction) =>
    stillUnknownSlot({ tool: toolOf(draft.agent, transaction.tool), transaction }, transaction),
  );
  return say(draft, ...slots);
}

/** What is known by now of the call, a question about it that failed being another matter; nobody is said to be checking when there are no questions left. */
function stillUnknownSlot(opened: Opened, transaction: UnknownTransaction): ReplySlot {
  const { call, evidence } = transaction;
  const error = evidence.findLast(({ invocationId }) => invocationId === call.invocationId)?.error ?? null;
  const slot = outcomeUnknownSlot(opened, { items: itemsKnownOf(transaction), error });
  return { ...slot, isBeingChecked: transaction.deadlineAt !== null };
}

/** At most so many times in a row; then a person is offered. The transaction is kept: a clear answer still goes on with it. */
function clarify(draft: Draft, turnId: Message['turn']['turnId'], ask: (draft: Draft) => Draft): Draft {
  if (draft.state.clarifications < draft.agent.maxClarifications) {
    return ask(record(draft, { type: 'ClarificationAsked', turnId }));
  }
  const transactionId = draft.state.transaction?.id ?? null;
  return say(record(draft, { type: 'HandedOff', transactionId, reason: 'unclear' }), { kind: 'handoff' });
}

function restateQuestion(draft: Draft): Draft {
  const opened = openedIn(draft);
  const [first] = missingIn(draft);
  if (opened === null || first === undefined) return draft;
  const { tool } = opened;
  return say(draft, {
    kind: 'ask_parameter',
    toolLabel: tool.label,
    parameter: parameterView(tool, first),
    why: 'missing',
    detail: null,
  });
}

/** The pending parameters in the order in which they were asked for. */
function missingIn(draft: Draft): readonly string[] {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'COLLECTING_PARAMETERS') return [];
  const pending = missingParameters(opened.tool, opened.transaction);
  const asked = opened.transaction.missing.filter((name) => pending.includes(name));
  return [...asked, ...pending.filter((name) => !asked.includes(name))];
}
