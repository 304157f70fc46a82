import { type ToolConfig } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';

/**
 * The arguments on the wire: exactly the approved ones (invariant I5), and the idempotency key where the tool takes it as an argument. The business
 * context was mapped when the proposal was made and does not reach the tool.
 */
export function mapArguments(
  approved: ApprovedInvocation,
  { mapping }: Pick<ToolConfig, 'mapping'>,
): Readonly<Record<string, unknown>> {
  const { arguments: given } = approved.invocation;
  const name = mapping.idempotencyArgument;
  return name === null ? given : { ...given, [name]: approved.idempotencyKey };
}
