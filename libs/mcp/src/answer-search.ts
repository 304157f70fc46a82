import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';

/** What a body that ended holds: the answer; no answer, but an event by whose id the server can go on; neither. */
export type Held = 'complete' | 'resumable' | 'none';

/** Looks for the answer to a request in the body of an HTTP answer, as it comes. */
export type AnswerSearch = {
  push(chunk: Uint8Array): void;
  /** @param isWhole false when the body broke off. */
  end(isWhole: boolean): Held;
};

/**
 * Looks for an answer as the SDK reads it: in a JSON text or in the finished events of a stream. What is in there the SDK hands over, sooner or later; what is
 * not in a body that ended never comes. So the end of a body is judged by its bytes, and not by how long the SDK takes.
 */
export function searchAnswer(requestId: number, isStream: boolean): AnswerSearch {
  return isStream ? new EventSearch(requestId) : new TextSearch(requestId);
}

/** Half a JSON text holds no answer. */
class TextSearch implements AnswerSearch {
  private readonly chunks: Uint8Array[] = [];

  constructor(private readonly requestId: number) {}

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
  }

  end(isWhole: boolean): Held {
    if (!isWhole) return 'none';
    const messages = parse(Buffer.concat(this.chunks).toString('utf8'));
    return messages.some((message) => isAnswerTo(message, this.requestId)) ? 'complete' : 'none';
  }
}

/** Ends of a line and of the empty one behind it. */
const blankLines = ['\n\n', '\r\r', '\n\r\n'] as const;

/** Of a stream, the events that came before it broke may hold the answer. Only the event that is not finished is kept. */
class EventSearch implements AnswerSearch {
  private pending: Uint8Array[] = [];
  private edge = '';
  private held: Held = 'none';

  constructor(private readonly requestId: number) {}

  push(chunk: Uint8Array): void {
    const end = this.endOfEvents(chunk);
    if (end === 0) {
      this.pending.push(chunk);
      return;
    }
    this.read(Buffer.concat([...this.pending, chunk.subarray(0, end)]).toString('utf8'));
    this.pending = [chunk.subarray(end)];
  }

  end(): Held {
    return this.held;
  }

  /** How many bytes of a piece belong to finished events. An empty line may begin in the piece before. */
  private endOfEvents(chunk: Uint8Array): number {
    const text = this.edge + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    const ends = blankLines.map((line) => {
      const at = text.lastIndexOf(line);
      return at < 0 ? 0 : at + line.length - this.edge.length;
    });
    this.edge = text.slice(-2);
    return Math.max(0, ...ends);
  }

  private read(text: string): void {
    if (this.held === 'complete') return;
    const blocks = text
      .replace(/^\uFEFF/, '')
      .replaceAll(/\r\n?/g, '\n')
      .split('\n\n');
    const events = blocks.map((block) => block.split('\n'));
    const messages = events.filter(isMessage).map(dataOf).flatMap(parse);
    if (messages.some((message) => isAnswerTo(message, this.requestId))) this.held = 'complete';
    else if (events.some(hasId)) this.held = 'resumable';
  }
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
