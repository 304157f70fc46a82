import { type TurnExplanation } from '@latch/contracts';
import { tableLines } from '../terminal.ts';

/** An explanation for people: one block of lines per question, the values aligned. Nothing is left out that decided; payloads are in `--json`. */
export function explanationLines(turn: TurnExplanation): readonly string[] {
  return [
    ...block(`turn ${turn.turn_id}`, saidRows(turn)),
    ...block('waiting for', waitingRows(turn)),
    ...block(
      `reading${turn.reading.source === 'inputs' ? ' (the form counted, not the text)' : ''}`,
      readingRows(turn),
    ),
    ...ruleLines(turn),
    ...block(`decision: ${turn.decision.rule} -> ${turn.decision.action ?? 'no line'}`, decisionRows(turn)),
    ...block('could also have been', lostRows(turn)),
    ...block('state', stateRows(turn)),
    ...block('what followed', eventRows(turn)),
    ...block('tool calls', callRows(turn)),
    ...block('answer', answerRows(turn)),
  ];
}

type Rows = readonly (readonly string[])[];

/** A heading with indented columns under it; nothing where there is nothing to say. */
function block(heading: string, rows: Rows): readonly string[] {
  if (rows.length === 0) return [];
  const widest = Math.max(...rows.map((row) => row.length));
  const even = rows.map((row) => Array.from({ length: widest }, (_, column) => row[column] ?? ''));
  return [heading, ...tableLines(even).map((line) => `  ${line}`), ''];
}

function saidRows({ conversation_key: key, message_id: message, said }: TurnExplanation): Rows {
  return [
    ['conversation', key],
    ['message', message],
    ['said', `${said.user_id} in ${said.channel} at ${said.at}: ${JSON.stringify(said.text)}`],
    ...(said.inputs === null ? [] : [['form', JSON.stringify(said.inputs)]]),
  ];
}

function waitingRows({ waiting_for: waiting }: TurnExplanation): Rows {
  const about = waiting.tool === null ? [] : [['tool', waiting.tool]];
  return [
    ['kind', waiting.kind],
    ...about,
    ...listRow('missing', waiting.missing_parameters),
    ...listRow('items', waiting.items),
  ];
}

/** Only what was read; a reading that found nothing says nothing. */
function readingRows({ reading }: TurnExplanation): Rows {
  const { intent } = reading;
  const said = { corrects: reading.corrects, abandons: reading.abandons, resumes: reading.resumes };
  const words = { ...said, 'retries failed': reading.retries_failed, 'domain word': reading.has_domain_word };
  return [
    ['confirmation', reading.confirmation],
    ...Object.entries(words).flatMap(([name, holds]) => (holds ? [[name, 'yes']] : [])),
    ...recordRow('change', reading.change),
    ...recordRow('values', reading.values),
    ...recordRow('invalid', reading.invalid),
    ...(intent === null ? [] : [['intent', intentText(intent)]]),
  ];
}

function intentText(intent: NonNullable<TurnExplanation['reading']['intent']>): string {
  const second = intent.runner_up === null ? '' : `; second: ${JSON.stringify(intent.runner_up)}`;
  return `${intent.intent} (score ${intent.score}, ${intent.is_clear ? 'clear' : 'not clear'})${second}`;
}

function ruleLines({ reading: { rules } }: TurnExplanation): readonly string[] {
  const rows = rules.map(({ rule, span, text, runner_up: second }) => [
    rule,
    span === null ? 'whole text' : span.join('-'),
    JSON.stringify(text),
    second === null ? '' : `second: ${second}`,
  ]);
  return block('rules that matched', rows);
}

function decisionRows({ decision }: TurnExplanation): Rows {
  const won = decision.classes.find(({ verdict }) => verdict === 'won');
  const changed = 'the table of this version gives another rule: it has changed since the turn';
  return [
    ['state', decision.status],
    ['means', won?.meaning ?? ''],
    ['why', [won?.because, won?.why].filter(Boolean).join('. ')],
    ...(decision.intent === null ? [] : [['intent', `${decision.intent}, route ${decision.route ?? 'none'}`]]),
    ['configuration', decision.config_digest.slice(0, 12)],
    ...(decision.is_reproduced ? [] : [['note', changed]]),
  ];
}

function lostRows({ decision: { classes } }: TurnExplanation): Rows {
  return classes
    .filter(({ holds, verdict }) => holds && verdict !== 'won')
    .map(({ message_class: name, because, why }) => [name, [because, why].filter(Boolean).join('. ')]);
}

function stateRows({ state }: TurnExplanation): Rows {
  return [
    ['before', ...stateCells(state.before)],
    ['decided', ...stateCells(state.decided)],
    ...(state.answered === null ? [['answered', 'not yet']] : [['answered', ...stateCells(state.answered)]]),
  ];
}

function stateCells(state: TurnExplanation['state']['before']): readonly string[] {
  const facts = [
    ...listRow('missing', state.missing_parameters).map(([, names]) => `missing ${names}`),
    ...listRow('parked', state.parked_tools).map(([, tools]) => `parked ${tools}`),
  ];
  return [state.status, state.tool ?? '-', JSON.stringify(state.arguments), facts.join('; ')];
}

function eventRows({ events }: TurnExplanation): Rows {
  return events.map(({ sequence, at, event_type: type }) => [String(sequence), at.slice(11, 23), type]);
}

function callRows({ calls }: TurnExplanation): Rows {
  return calls.map(({ purpose, tool, arguments: sent, result }) => [
    purpose,
    tool,
    JSON.stringify(sent),
    result === null ? 'no result yet' : resultText(result),
  ]);
}

function resultText(result: NonNullable<TurnExplanation['calls'][number]['result']>): string {
  const items = result.items ?? [];
  const failed = items.filter(({ outcome }) => outcome !== 'succeeded').length;
  const verdict = result.outcome ?? (result.ok ? 'SUCCESS' : 'FAILED');
  const counted = items.length === 0 ? '' : `, ${items.length - failed} of ${items.length} items succeeded`;
  const error = result.error ? `, ${result.error.errorCategory}: ${result.error.message}` : '';
  return `${verdict}${counted}${error}`;
}

function answerRows({ reply }: TurnExplanation): Rows {
  if (reply.answered_at === null) return [['not answered yet']];
  return [
    ['at', reply.answered_at],
    ['slots', reply.slots.map((slot) => String(slot['kind'])).join(', ')],
    ...(reply.text ? reply.text.split('\n').map((line, index) => [index === 0 ? 'text' : '', line]) : []),
  ];
}

function listRow(name: string, values: readonly string[]): Rows {
  return values.length === 0 ? [] : [[name, values.join(', ')]];
}

function recordRow(name: string, values: Readonly<Record<string, unknown>> | null): Rows {
  return values === null || Object.keys(values).length === 0 ? [] : [[name, JSON.stringify(values)]];
}
