import { type ErrorCategory, type StructuredError } from '@latch/contracts';
import { scrub } from '@latch/outcome';
import {
  failed,
  type Finding,
  type LabCheck,
  type LabSurroundings,
  notApplicable,
  notTested,
  passed,
} from '../lab-check.ts';
import { type LabAnswer } from '../lab-client.ts';
import { type PlannedCall } from '../lab-plan.ts';
import { isFromServer, wordsOf } from './effect-checks.ts';

/** What must be true of answers: items one by one, errors that somebody can act on, empty told from denied. */
export const answerChecks: readonly LabCheck[] = [
  {
    id: 'items.each_told',
    title: 'Of several items, each is told with its own outcome',
    why: 'One boolean over several items hides what failed: the customer is told that all was done, or nothing.',
    isRequired: true,
    run: itemsAreTold,
  },
  errorCheck({
    part: 'invalid',
    title: 'A wrong value is a validation error that names the argument',
    why: 'Latch asks again for exactly the argument that is named; without a name the conversation ends.',
    category: 'validation',
    isRetryable: false,
  }),
  errorCheck({
    part: 'refused',
    title: 'What a rule forbids is a business error',
    why: 'A rule is told to the customer; called transient it would be tried again and again.',
    category: 'business',
    isRetryable: false,
  }),
  errorCheck({
    part: 'denied',
    title: 'What the caller may not do is a permission error',
    why: 'No access that looks like "nothing found" is told to the customer as "you have none".',
    category: 'permission',
    isRetryable: false,
  }),
  {
    id: 'empty.is_success',
    title: 'Nothing found is a success that says so',
    why: 'An error for an empty list is told as a failure; silence cannot be told from a loss.',
    isRequired: true,
    run: emptyIsSuccess,
  },
  {
    id: 'error.clean',
    title: 'Errors hold no stack trace and no secret',
    why: 'The text of an error ends in logs, events and sometimes in front of the customer.',
    isRequired: true,
    run: errorsAreClean,
  },
];

type ErrorPart = 'invalid' | 'refused' | 'denied';

function errorCheck(of: {
  readonly part: ErrorPart;
  readonly title: string;
  readonly why: string;
  readonly category: ErrorCategory;
  readonly isRetryable: boolean;
}): LabCheck {
  const { part, title, why } = of;
  return { id: `error.${part}`, title, why, isRequired: true, run: (around) => errorIsActionable(around, of) };
}

async function errorIsActionable(
  around: LabSurroundings,
  {
    part,
    category,
    isRetryable,
  }: { readonly part: ErrorPart; readonly category: ErrorCategory; readonly isRetryable: boolean },
): Promise<Finding> {
  const planned = around.plan[part];
  if (planned === undefined) return notTested(`The plan names no such call: add \`${part}\`.`);
  if (planned === 'not_offered') return notApplicable(`call that is ${part}`);
  const answer = await callAs(around, planned);
  const { error } = answer.result;
  if (!isFromServer(answer)) return failed(`no answer: ${wordsOf(answer)}`, 'Answer within the deadline.');
  if (!error)
    return failed(
      `it answered with a success: ${wordsOf(answer)}`,
      'Set isError, with a StructuredError as JSON text or structuredContent.',
    );
  const wrong = problemsWith(error, {
    category,
    isRetryable,
    ...('parameter' in planned ? { parameter: planned.parameter } : {}),
  });
  if (wrong.length > 0)
    return failed(
      `${wrong.join(', ')}: ${wordsOf(answer)}`,
      'Send {errorCategory, isRetryable, message, parameter?} as JSON text of an isError result (docs/reference/tool-results.md).',
    );
  return passed(`${error.errorCategory}: ${wordsOf(answer)}`);
}

type Expected = { readonly category: ErrorCategory; readonly isRetryable: boolean; readonly parameter?: string };

function problemsWith(error: StructuredError, expected: Expected): readonly string[] {
  const { category, isRetryable, parameter } = expected;
  return [
    ...(error.errorCategory === category ? [] : [`its category reads as ${error.errorCategory}, not ${category}`]),
    ...(error.isRetryable === isRetryable ? [] : [`isRetryable is ${error.isRetryable}`]),
    ...(parameter === undefined || error.parameter === parameter
      ? []
      : [`it names ${error.parameter ?? 'no argument'} where ${parameter} is wrong`]),
  ];
}

async function itemsAreTold(around: LabSurroundings): Promise<Finding> {
  const planned = around.plan.items;
  if (planned === undefined) return notTested('The plan names no such call: add `items`.');
  if (planned === 'not_offered') return notApplicable('tool over several items');
  const { client } = around;
  const { succeed, fail } = planned;
  const answer = await client.call({ ...planned, key: client.newKey(), items: [...succeed, ...fail] });
  const items = answer.result.items ?? [];
  const told = (outcome: string): readonly string[] =>
    items.filter((item) => item.outcome === outcome).map(({ id }) => id);
  const wrong = [
    ...succeed.filter((item) => !told('succeeded').includes(item)).map((item) => `${item} is not told as done`),
    ...fail.filter((item) => !told('failed').includes(item)).map((item) => `${item} is not told as failed`),
    ...items
      .filter(({ outcome, reason }) => outcome === 'failed' && !reason)
      .map(({ id }) => `${id} fails without a reason`),
  ];
  if (wrong.length > 0)
    return failed(
      wrong.join('; '),
      'Answer with results: one entry per item with its name or id, success (true or false), a reason when it failed and a protocol when not.',
    );
  return passed(`${succeed.length} done, ${fail.length} failed, each told: ${answer.result.outcome ?? ''}`);
}

async function emptyIsSuccess(around: LabSurroundings): Promise<Finding> {
  const planned = around.plan.empty;
  if (planned === undefined) return notTested('The plan names no such call: add `empty`.');
  if (planned === 'not_offered') return notApplicable('read that finds nothing');
  const answer = await around.client.call(planned);
  if (!answer.result.ok)
    return failed(`it is an error: ${wordsOf(answer)}`, 'Answer with an empty list and count 0, without isError.');
  if (answer.result.empty !== true)
    return failed(`it is not read as empty: ${wordsOf(answer)}`, 'Answer with {results: [], count: 0, note}.');
  return passed('an empty success');
}

async function errorsAreClean(around: LabSurroundings): Promise<Finding> {
  const { invalid, refused, denied } = around.plan;
  const calls = [invalid, refused, denied].filter((call) => call !== undefined && call !== 'not_offered');
  if (calls.length === 0) return notTested('The plan names no call that fails: add `invalid`, `refused` or `denied`.');
  const texts: string[] = [];
  for (const call of calls) texts.push(textOf(await callAs(around, call)));
  const said = texts.filter((text) => text !== '');
  if (said.length === 0) return failed('no error said anything', 'Say in a sentence what went wrong.');
  const dirty = said.filter(holdsTraceOrSecret);
  if (dirty.length > 0)
    return failed(
      `${dirty.length} errors hold one`,
      'Keep traces and credentials in the server; say what went wrong in a sentence.',
    );
  return passed(`${said.length} errors looked at`);
}

/** Whether the scrubber of the normalizer would cut something away. Line by line, and in pieces that it does not shorten. */
function holdsTraceOrSecret(text: string): boolean {
  const lines = text.replaceAll('\\n', '\n').split('\n');
  const pieces = lines.flatMap((line) => line.match(/.{1,400}/gsu) ?? []);
  return pieces.some((piece) => scrub(piece) !== piece.replaceAll(/\s+/g, ' ').trim());
}

/** A call that must fail, made as one with an effect: that is how Latch would make it. */
function callAs({ client }: LabSurroundings, planned: PlannedCall): Promise<LabAnswer> {
  return client.call({ tool: planned.tool, arguments: planned.arguments, key: client.newKey() });
}

function textOf({ outcome }: LabAnswer): string {
  if (outcome.kind !== 'result') return '';
  return (outcome.result.content ?? []).map((block) => textOfBlock(block)).join('\n');
}

function textOfBlock(block: unknown): string {
  return typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
    ? block.text
    : '';
}
