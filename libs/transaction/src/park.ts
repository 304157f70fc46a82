import { advance } from './advance.ts';
import { restate } from './clarify.ts';
import { type Draft, record, say, toolOf } from './draft.ts';
import { secondsAfter } from './instants.ts';
import { endOpen, endTransaction } from './end.ts';
import { type Message } from './message.ts';
import { collectAndAdvance, mergeContext, startIntent } from './start-transaction.ts';

/** An unequivocal new intent: the open transaction is put aside with its arguments, and the new one starts. */
export function parkAndStart(draft: Draft, message: Message): Draft {
  return startIntent(parkOpen(draft), message);
}

/** So many unknown outcomes in one conversation are a breakdown: nothing new is begun on top of them. */
const maxUnresolved = 10;

/** The user turns to something else while an outcome is unknown: it stays unknown and is still asked about. */
export function setAsideAndStart(draft: Draft, message: Message): Draft {
  return draft.state.unresolved.length < maxUnresolved ? startIntent(setAside(draft), message) : restate(draft);
}

/** Takes a parked transaction up again: the one that is named, else the latest. What was open meanwhile takes its place. */
export function resumeParked(draft: Draft, message: Message): Draft {
  const named = message.intent?.config.tool ?? null;
  const parked = draft.state.parked.find(({ tool }) => named === null || tool === named);
  if (parked === undefined) return draft;
  const freed = makeRoom(draft, parked.id);
  const resumed = record(freed, {
    type: 'TransactionResumed',
    transactionId: parked.id,
    deadlineAt: secondsAfter(draft.at, draft.agent.collectionTtlSeconds),
  });
  const told = say(resumed, { kind: 'resumed', toolLabel: toolOf(draft.agent, parked.tool).label });
  if (named !== null && message.intent !== null) return collectAndAdvance(told, message, message.intent.said);
  return advance(mergeContext(told, message.turn.businessContext), parked.rev === 0 ? 'first' : 'renewed');
}

/** The offer to take the latest parked transaction up again is declined: it is given up. */
export function dropParked(draft: Draft): Draft {
  const [parked] = draft.state.parked;
  if (parked === undefined) return draft;
  const ended = endTransaction(draft, parked.id, { status: 'CANCELLED', reason: 'declined' });
  return say(ended, { kind: 'cancelled', toolLabel: toolOf(draft.agent, parked.tool).label });
}

function makeRoom(draft: Draft, wanted: string): Draft {
  if (draft.state.transaction?.status === 'OUTCOME_UNKNOWN') return setAside(draft);
  return draft.state.transaction === null ? draft : parkOpen(draft, wanted);
}

function setAside(draft: Draft): Draft {
  const open = draft.state.transaction;
  return open === null ? draft : record(draft, { type: 'TransactionSetAside', transactionId: open.id });
}

/** Parks the open transaction; the depth is bounded, and what does not fit any more is given up, the oldest first. */
function parkOpen(draft: Draft, keep: string | null = null): Draft {
  const open = draft.state.transaction;
  if (open === null) return draft;
  const { label } = toolOf(draft.agent, open.tool);
  if (draft.agent.maxParked < 1) {
    return say(endOpen(draft, { status: 'CANCELLED', reason: 'too_many_parked' }), {
      kind: 'cancelled',
      toolLabel: label,
    });
  }
  const parked = record(draft, {
    type: 'TransactionParked',
    transactionId: open.id,
    deadlineAt: secondsAfter(draft.at, draft.agent.collectionTtlSeconds),
    parkedAt: draft.at,
  });
  return evict(say(parked, { kind: 'parked', toolLabel: label }), keep);
}

function evict(draft: Draft, keep: string | null): Draft {
  return draft.state.parked
    .filter(({ id }) => id !== keep)
    .slice(draft.agent.maxParked)
    .reduce((rest, { id }) => endTransaction(rest, id, { status: 'CANCELLED', reason: 'too_many_parked' }), draft);
}
