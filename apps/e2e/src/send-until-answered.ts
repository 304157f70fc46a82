import { setTimeout as sleep } from 'node:timers/promises';
import { type IngressClient } from '@latch/cli';
import { type GatewayRequest } from '@latch/contracts';

/**
 * Sends a message as a patient client does: the same body under the same id, again and again while nobody answers or the answer says "later".
 *
 * @returns the body of the answer.
 * @throws Error when it is refused for good, or not answered within a minute.
 */
export async function sendUntilAnswered(ingress: IngressClient, request: GatewayRequest): Promise<string> {
  const endsAt = Date.now() + 60_000;
  for (;;) {
    const answer = await ingress.post(request, { prefer: 'wait=10' }).catch(() => undefined);
    if (answer?.status === 200) return answer.body;
    if (answer !== undefined && answer.status !== 202 && answer.status !== 503) {
      throw new Error(`HTTP ${answer.status}: ${answer.body}`);
    }
    if (Date.now() > endsAt) throw new Error('The message was not answered within a minute.');
    await sleep(100);
  }
}
