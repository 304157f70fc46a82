import { type z } from 'zod';
import { AgentState } from './agent-state.ts';
import { Alarm } from './alarm.ts';
import { BusinessContext } from './business-context.ts';
import { ChannelResponse, TurnConflict } from './channel-response.ts';
import { changesOf, type ContractChange } from './contract-changes.ts';
import { DeadLetter } from './dead-letter.ts';
import { DeadLetterRedrive } from './dead-letter-redrive.ts';
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
import { PreValidationAnswer, TransactionDecision } from './transaction-decision.ts';
import { TurnExplanation } from './turn-explanation.ts';
import { alarmExamples, deadLetterRedriveExamples, preValidationAnswerExamples } from './examples/conditions.ts';
import { type ContractExamples } from './examples/contract-examples.ts';
import {
  certificationResultExamples,
  evaluationResultExamples,
  evaluationRunExamples,
  llmRequestExamples,
  llmResponseExamples,
} from './examples/evaluations.ts';
import {
  agentStateExamples,
  businessContextExamples,
  channelResponseExamples,
  checkpointExamples,
  deadLetterExamples,
  eventEnvelopeExamples,
  evidenceBundleExamples,
  gatewayRequestExamples,
  problemExamples,
  sessionExamples,
  turnConflictExamples,
} from './examples/messages.ts';
import {
  structuredErrorExamples,
  toolExecutionExamples,
  toolInvocationExamples,
  toolResultExamples,
  transactionDecisionExamples,
} from './examples/tools.ts';
import { turnExplanationExamples } from './examples/turn-explanation.ts';

/** A contract as it is published: its name, its version string (`<name>-v<major>`), its zod source, example messages and history. */
export type PublishedContract = {
  readonly name: string;
  readonly major: number;
  readonly version: string;
  readonly title: string;
  readonly schema: z.ZodType;
  readonly examples: ContractExamples;
  /** Newest first. */
  readonly changes: readonly ContractChange[];
};

/** Every contract that Latch publishes; `contracts/` holds the published form of each, and a test compares the two. */
export const publishedContracts: readonly PublishedContract[] = [
  contract('gateway-request', { GatewayRequest }, gatewayRequestExamples),
  contract('channel-response', { ChannelResponse }, channelResponseExamples),
  contract('business-context', { BusinessContext }, businessContextExamples),
  contract('agent-state', { AgentState }, agentStateExamples),
  contract('session', { Session }, sessionExamples),
  contract('checkpoint', { Checkpoint }, checkpointExamples),
  contract('tool-invocation', { ToolInvocation }, toolInvocationExamples),
  contract('tool-execution', { ToolExecution }, toolExecutionExamples),
  contract('tool-result', { ToolResult }, toolResultExamples),
  contract('structured-error', { StructuredError }, structuredErrorExamples),
  contract('transaction-decision', { TransactionDecision }, transactionDecisionExamples),
  contract('pre-validation-answer', { PreValidationAnswer }, preValidationAnswerExamples),
  contract('llm-request', { LLMRequest }, llmRequestExamples),
  contract('llm-response', { LLMResponse }, llmResponseExamples),
  contract('evaluation-run', { EvaluationRun }, evaluationRunExamples),
  contract('evaluation-result', { EvaluationResult }, evaluationResultExamples),
  contract('certification-result', { CertificationResult }, certificationResultExamples),
  contract('event-envelope', { EventEnvelope }, eventEnvelopeExamples),
  contract('alarm', { Alarm }, alarmExamples),
  contract('evidence-bundle', { EvidenceBundle }, evidenceBundleExamples),
  contract('turn-explanation', { TurnExplanation }, turnExplanationExamples),
  contract('dead-letter', { DeadLetter }, deadLetterExamples),
  contract('dead-letter-redrive', { DeadLetterRedrive }, deadLetterRedriveExamples),
  contract('turn-conflict', { TurnConflict }, turnConflictExamples),
  contract('problem', { Problem }, problemExamples),
];

/** The first major of a contract; `named` holds the schema under its title. */
function contract<S extends z.ZodType>(
  name: string,
  named: Readonly<Record<string, S>>,
  examples: ContractExamples<z.input<S>>,
): PublishedContract {
  const [[title, schema] = never(name)] = Object.entries(named);
  const changes = changesOf(name);
  return { name, major: 1, version: `${name}-v1`, title, schema, examples, changes };
}

function never(name: string): never {
  throw new Error(`${name} is published without a schema`);
}
