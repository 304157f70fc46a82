import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';

/** The whole body of an HTTP answer, as far as it came. */
export type AnswerBody = { readonly chunks: readonly Uint8Array[]; readonly isStream: boolean };

/** What a body that ended holds: the answer; no answer, but an event by whose id the server can go on; neither. */
export type Held = 'complete' | 'resumable' | 'none';

/**
 * Whether the answer to a request is in a body, read as the SDK reads it: a JSON text or the finished events of a stream. What is in there the SDK hands
 * over, sooner or later; what is not in a body that ended never comes. So the end of a body is judged by its bytes, and not by how long the SDK takes.
 */
export function answerIn({ chunks, isStream }: AnswerBody, requestId: number): Held {
  const text = Buffer.concat(chunks).toString('utf8');
  const events = isStream ? finishedEvents(text) : [];
  const messages = (isStream ? events.filter(isMessage).map(dataOf) : [text]).flatMap(parse);
  if (messages.some((message) => isAnswerTo(message, requestId))) return 'complete';
  return events.some(hasId) ? 'resumable' : 'none';
}

/** An event ends with an empty line; one that was cut off before it is none. */
function finishedEvents(text: string): readonly (readonly string[])[] {
  const blocks = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .slice(0, -1);
  return blocks.map((block) => block.split('\n'));
}

function hasId(lines: readonly string[]): boolean {
  return lines.some((line) => /^id:.*\S/.test(line));
}

function isMessage(lines: readonly string[]): boolean {
  const name =
    lines
      .findLast((line) => line.startsWith('event:'))
      ?.slice('event:'.length)
      .trim() ?? '';
  return name === '' || name === 'message';
}

function dataOf(lines: readonly string[]): string {
  return lines.flatMap((line) => /^data:(.*)$/s.exec(line)?.[1] ?? []).join('\n');
}

function parse(text: string): readonly unknown[] {
  if (text.trim() === '') return [];
  try {
    const message: unknown = JSON.parse(text);
    return Array.isArray(message) ? message : [message];
  } catch {
    return [];
  }
}

function isAnswerTo(message: unknown, requestId: number): boolean {
  return (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && Number(message.id) === requestId;
}
