import { type Response } from 'express';
import { type ReadCall } from './read-call.ts';

/** A valid answer of so many bytes of text, in pieces: large for the reader, not for this server. */
export async function sendOversized(call: ReadCall, response: Response, bytes: number): Promise<void> {
  const piece = 'x'.repeat(65_536);
  await sendAround(call, response, {
    ...{ before: '{"content":[{"type":"text","text":"', after: '"}]}' },
    *pieces() {
      for (let left = bytes; left > 0; left -= piece.length) yield piece.slice(0, left);
    },
  });
}

/** A million results, each of an item that nobody asked for. */
export async function sendManyResults(call: ReadCall, response: Response): Promise<void> {
  await sendAround(call, response, {
    ...{ before: '{"content":[],"structuredContent":{"results":[', after: ']}}' },
    *pieces() {
      for (let from = 0; from < 1_000_000; from += 1_000)
        yield Array.from(
          { length: 1_000 },
          (_, at) => `${from + at === 0 ? '' : ','}{"id":${from + at},"success":true}`,
        ).join('');
    },
  });
}

const levels = 10_000;

/** Objects in objects, 10,000 levels deep. */
export async function sendDeep(call: ReadCall, response: Response): Promise<void> {
  await sendAround(call, response, {
    ...{ before: '{"content":[],"structuredContent":', after: '}' },
    *pieces() {
      yield '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    },
  });
}

async function sendAround(
  call: ReadCall,
  response: Response,
  of: { readonly before: string; readonly after: string; pieces(): Iterable<string> },
): Promise<void> {
  response.type('application/json');
  response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":${of.before}`);
  for (const piece of of.pieces()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end(`${of.after}}`);
}

async function drained(response: Response): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
