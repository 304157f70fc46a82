import { digest } from '@latch/contracts';
import { type Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallLog } from './call-log.ts';
import { type Fault } from './faults.ts';
import { type ReadCall } from './read-call.ts';

/** Plays a fault in front of the tool: the call is logged, the tool does not run. */
export async function failRequest(
  of: { readonly fault: Fault; readonly call: ReadCall; readonly log: CallLog },
  response: Response,
): Promise<void> {
  const { fault, call } = of;
  of.log.add({
    ...{ tool: call.tool, key: call.idempotencyKey, tenant: call.tenant, arguments: call.arguments },
    ...{ argumentsDigest: digest(call.arguments), at: new Date().toISOString() },
    ...{ effects: 0, outcome: 'not_run', fault: fault.kind },
  });
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  if (fault.kind === 'drop_connection') response.destroy();
  else if (fault.kind === 'junk') response.type('application/json').send('<html>upstream says hello</html>');
  else if (fault.kind === 'oversized') await sendOversized(call, response);
  else sendUnavailable(fault, response);
}

function sendUnavailable(fault: Fault, response: Response): void {
  if (fault.retryAfterSeconds !== undefined) response.set('Retry-After', String(fault.retryAfterSeconds));
  response.status(503).json({ error: 'service unavailable' });
}

/** 8 MiB in pieces of 64 KiB: large for the reader, not for this server. */
async function sendOversized(call: ReadCall, response: Response): Promise<void> {
  const piece = 'x'.repeat(65_536);
  response.type('application/json');
  response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":{"content":[{"type":"text","text":"`);
  for (let sent = 0; sent < 128 && !response.destroyed; sent += 1) {
    if (!response.write(piece)) await drained(response);
  }
  response.end('"}]}}');
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
