import { deterministicId } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';

/**
 * The W3C trace context of a call whose announcement is not at hand, because another instance had taken it off the bus: the trace of the turn that asked for the
 * call, and a span that is the call's own, whoever makes it.
 *
 * @returns undefined when the turn belongs to no valid trace.
 */
export function traceparentOf({
  invocationId,
  invocation,
}: Pick<ApprovedInvocation, 'invocationId' | 'invocation'>): string | undefined {
  const traceId = invocation.metadata?.trace_id ?? '';
  if (!/^(?!0{32})[0-9a-f]{32}$/.test(traceId)) return undefined;
  const span = deterministicId('tool-call-span', invocationId).replaceAll('-', '').slice(0, 16);
  return `00-${traceId}-${span}-01`;
}
