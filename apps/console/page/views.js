// How each thing looks. A word always says what a colour says.
import { element, time } from './dom.js';

const outcomeClass = {
  SUCCESS: 'good',
  succeeded: 'good',
  FAILED: 'bad',
  failed: 'bad',
  PARTIAL_SUCCESS: 'doubt',
  unknown: 'doubt',
  UNKNOWN: 'doubt',
};

const severityClass = { critical: 'bad', major: 'bad', minor: 'doubt', warning: 'doubt' };

/** An outcome in words; none yet is said too, and never taken for success. */
export function outcome(value) {
  return element('strong', { className: outcomeClass[value] ?? '' }, value ?? 'none yet');
}

export function alarmItem({ perceived_severity: severity, specific_problem: problem, ...alarm }) {
  const where = alarm.tenant_id === 'platform' ? 'the platform' : alarm.tenant_id;
  return element(
    'li',
    {},
    element('strong', { className: severityClass[severity] ?? '' }, severity),
    ` ${problem} `,
    element('span', { className: 'where' }, `(${alarm.event_type}, ${where}, since `, time(alarm.raised_at), ')'),
  );
}

/** A row of the list; its button opens the transaction. */
export function transactionRow(transaction, onOpen) {
  const open = element(
    'button',
    { type: 'button', 'data-transaction': transaction.transaction_id },
    transaction.transaction_id,
  );
  open.addEventListener('click', () => onOpen(transaction.transaction_id, open));
  const cells = [
    time(transaction.started_at),
    open,
    transaction.tool,
    transaction.status,
    outcome(transaction.outcome),
    transaction.items_count,
  ];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

/** The truth about one item. */
export function itemEntry({ id, label, outcome: result, reason, protocol }) {
  return element(
    'li',
    {},
    outcome(result),
    ` ${label}`,
    element('span', { className: 'where' }, ` (${id})`),
    reason ? ` because: ${reason}` : '',
    protocol ? ` protocol ${protocol}` : '',
  );
}

export function chatEntry({ at, said, answered, status }) {
  const waiting = status === 'done' ? '(no text is kept)' : '(the answer is under way)';
  return element(
    'li',
    {},
    time(at),
    element('p', { className: 'words' }, element('strong', {}, 'User: '), said ?? '(no text is kept)'),
    element('p', { className: 'words' }, element('strong', {}, 'Latch: '), answered ?? waiting),
  );
}

export function timelineEntry({ event_type: type, timestamp, sequence, hash, payload }) {
  const details = element(
    'details',
    {},
    element('summary', {}, `${sequence ?? ''} ${type}`),
    element('pre', { className: 'message' }, JSON.stringify(payload, undefined, 2)),
    element('p', { className: 'where' }, hash ? `hash ${hash}` : ''),
  );
  return element('li', {}, time(timestamp), details);
}

const verdictClass = { equal: 'good', erased: 'doubt', differs: 'bad', unreadable: 'bad' };

/** A verdict on a conversation, and what is wrong where something is. */
export function proofEntry(meaning, { verdict, events, sealed_events: sealed, problem, path, divergence }) {
  const place = problem ? ` from event ${problem.version}: ${problem.kind}, ${problem.detail}` : '';
  const decision = divergence ? ` at event ${divergence.version}: ${divergence.reason}` : '';
  const signed = sealed === undefined ? '' : `, ${sealed} of them sealed`;
  return element(
    'li',
    {},
    element('strong', { className: verdictClass[verdict] ?? 'doubt' }, verdict),
    ` ${meaning}${place}${path ? ` at ${path}` : ''}${decision}`,
    element('span', { className: 'where' }, ` (${events} events${signed})`),
  );
}

export function signalEntry({ event_type: type, severity, timestamp, ...signal }) {
  const where = signal.transaction_id ?? signal.conversation_key ?? signal.tenant_id;
  return element(
    'li',
    {},
    element('strong', { className: severityClass[severity] ?? '' }, `${type} ${severity ?? ''}`),
    ' ',
    time(timestamp),
    element('span', { className: 'where' }, ` ${where}`),
    element('pre', { className: 'message' }, JSON.stringify(signal.payload)),
  );
}

export function letterCount({ topic, code, count }) {
  return element('li', {}, `${count} of ${topic}: ${code}`);
}

export function letterEntry({ topic, partition, offset, consumer, reason, text, failed_at: failedAt, ...letter }) {
  const { sent_again: sent } = letter;
  const again = sent ? `, sent again at ${sent.last_at}${sent.times > 1 ? `, ${sent.times} times` : ''}` : '';
  const summary = element(
    'summary',
    {},
    `${reason.code} in ${topic}/${partition} at ${offset}, given up by ${consumer}${again}`,
  );
  return element(
    'li',
    {},
    time(failedAt),
    element(
      'details',
      {},
      summary,
      element('p', {}, reason.message),
      element(
        'p',
        { className: 'where' },
        `${letter.bytes} bytes, tried ${letter.attempts} times, key ${letter.key ?? 'none'}`,
      ),
      element('pre', { className: 'message' }, text ?? '(no text)'),
    ),
  );
}
