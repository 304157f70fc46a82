import { digest } from './digest.ts';
import { type GatewayRequest } from './gateway-request.ts';

/**
 * What makes two requests with one message id the same message: everything but `payload.metadata`, which a client or the edge may mint anew for each
 * attempt (request id, trace). Ingress and orchestrator compute it alike; another digest under the same id is a conflict (invariant I2).
 */
export function bodyDigestOf(request: GatewayRequest): string {
  const { metadata: _perAttempt, ...payload } = request.payload;
  return digest({ ...request, payload });
}
