import { type z } from 'zod';
import { AgentState } from './agent-state.ts';
import { BusinessContext } from './business-context.ts';
import { ChannelResponse, TurnConflict } from './channel-response.ts';
import { DeadLetter } from './dead-letter.ts';
import { CertificationResult, EvaluationResult, EvaluationRun } from './evaluation.ts';
import { EventEnvelope } from './event-envelope.ts';
import { EvidenceBundle } from './evidence-bundle.ts';
import { GatewayRequest } from './gateway-request.ts';
import { LLMRequest, LLMResponse } from './llm.ts';
import { Problem } from './problem.ts';
import { Checkpoint, Session } from './session.ts';
import { StructuredError } from './structured-error.ts';
import { ToolExecution } from './tool-execution.ts';
import { ToolInvocation } from './tool-invocation.ts';
import { ToolResult } from './tool-result.ts';
import { TransactionDecision } from './transaction-decision.ts';

/** A contract as it is published: its name, its version string (`<name>-v<major>`), and its zod source. */
export type PublishedContract = {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly schema: z.ZodType;
};

/** Every contract that Latch publishes; `contracts/` holds the generated JSON Schema of each, and a test compares the two. */
export const publishedContracts: readonly PublishedContract[] = [
  contract('gateway-request', 'GatewayRequest', GatewayRequest),
  contract('channel-response', 'ChannelResponse', ChannelResponse),
  contract('business-context', 'BusinessContext', BusinessContext),
  contract('agent-state', 'AgentState', AgentState),
  contract('session', 'Session', Session),
  contract('checkpoint', 'Checkpoint', Checkpoint),
  contract('tool-invocation', 'ToolInvocation', ToolInvocation),
  contract('tool-execution', 'ToolExecution', ToolExecution),
  contract('tool-result', 'ToolResult', ToolResult),
  contract('structured-error', 'StructuredError', StructuredError),
  contract('transaction-decision', 'TransactionDecision', TransactionDecision),
  contract('llm-request', 'LLMRequest', LLMRequest),
  contract('llm-response', 'LLMResponse', LLMResponse),
  contract('evaluation-run', 'EvaluationRun', EvaluationRun),
  contract('evaluation-result', 'EvaluationResult', EvaluationResult),
  contract('certification-result', 'CertificationResult', CertificationResult),
  contract('event-envelope', 'EventEnvelope', EventEnvelope),
  contract('evidence-bundle', 'EvidenceBundle', EvidenceBundle),
  contract('dead-letter', 'DeadLetter', DeadLetter),
  contract('turn-conflict', 'TurnConflict', TurnConflict),
  contract('problem', 'Problem', Problem),
];

function contract(name: string, title: string, schema: z.ZodType): PublishedContract {
  return { name, version: `${name}-v1`, title, schema };
}
