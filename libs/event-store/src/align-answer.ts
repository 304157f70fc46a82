import { isRecord } from '@latch/contracts';
import { saysTheSame } from './says-the-same.ts';

/**
 * How far the words of an answer are told by its events, which keep the members of an object in an order of their own. `unordered`: it shows members of an object,
 * in the order in which the tool or the user had them. `cut`: of an object with many members it shows the first ones.
 */
export type AnswerOrder = 'unordered' | 'cut';

/**
 * A stored answer with the text of the expected one, where both say the same (`saysTheSame`). Where members were cut off the text cannot be compared. Everything else
 * of the answer stays as it is stored.
 */
export function alignAnswer(stored: unknown, expected: unknown, order: AnswerOrder | undefined): unknown {
  if (order === undefined || !isRecord(stored) || !isRecord(expected)) return stored;
  const { payload } = stored;
  const text = textOf(expected['payload']);
  if (!isRecord(payload) || text === undefined) return stored;
  const told = textOf(payload);
  if (told === undefined || (order === 'unordered' && !saysTheSame(told, text))) return stored;
  return { ...stored, payload: { ...payload, text } };
}

function textOf(payload: unknown): string | undefined {
  const text = isRecord(payload) ? payload['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
