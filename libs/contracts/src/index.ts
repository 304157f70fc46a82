export { AgentState, TransactionStatus } from './agent-state.ts';
export {
  type AgentConfig,
  type CallLimits,
  type ExtractRule,
  type ExtractStrategy,
  type IdentityConfig,
  type IntentConfig,
  type Locale,
  type McpServerConfig,
  type McpServerProcess,
  type MonthLanguage,
  type OnStepError,
  type ParameterConfig,
  type ParameterMapping,
  type ParameterType,
  type PlatformConfig,
  type ToolConfig,
  type WorkflowConfig,
  type WorkflowStep,
} from './agent-config.ts';
export { Alarm } from './alarm.ts';
export { agentDigest } from './agent-digest.ts';
export { bodyDigestOf } from './body-digest.ts';
export { BusinessContext } from './business-context.ts';
export { canonicalJson } from './canonical-json.ts';
export { type ContractVersion, currentMajorOf, readContractVersion } from './contract-version.ts';
export { type ContractExamples } from './examples/contract-examples.ts';
export { isFlatRequest } from './nest-flat-request.ts';
export { type KafkaRight, kafkaRights } from './kafka-rights.ts';
export { isRecord } from './is-record.ts';
export { jsonSchemaOf } from './json-schema.ts';
export { oldestMajorOnTheBus, upcast, type Upcaster, type VersionedMessage } from './upcast.ts';
export { ChannelResponse, TurnConflict } from './channel-response.ts';
export { DeadLetter } from './dead-letter.ts';
export { DeadLetterRedrive } from './dead-letter-redrive.ts';
export { digest, idempotencyKey, invocationDigest, itemKey } from './digest.ts';
export { errorCatalogue, type ErrorCode } from './error-catalogue.ts';
export { CertificationResult, EvaluationResult, EvaluationRun, MetricScore } from './evaluation.ts';
export { type CatalogueEntry, eventCatalogue, type EventType } from './event-catalogue.ts';
export { RetryableError, type RetryableKind, TerminalError } from './errors.ts';
export { EventEnvelope, requiredEnvelopeFields, Severity } from './event-envelope.ts';
export { evidenceCatalogue } from './evidence-catalogue.ts';
export { EvidenceBundle } from './evidence-bundle.ts';
export { EvidenceReceipt, EvidenceSealProof, EvidenceTurn } from './evidence-parts.ts';
export { anonymousUser, ClientId, GatewayRequest, KeyPart, StructuredInputs } from './gateway-request.ts';
export {
  ConversationKey,
  conversationKeyOf,
  deterministicId,
  InvocationId,
  ProposalId,
  TransactionId,
  TurnId,
  turnIdOf,
} from './ids.ts';
export { Instant } from './instant.ts';
export { LLMRequest, LLMResponse } from './llm.ts';
export { idempotencyHeader, mcpMeta } from './mcp-meta.ts';
export { parseJson } from './parse-json.ts';
export { platformVersion } from './platform-version.ts';
export { type InputProblem, jsonPath, Problem, problemsOf } from './problem.ts';
export { type ContractChange } from './contract-changes.ts';
export { type PublishedContract, publishedContracts } from './published-contracts.ts';
export { failure, type Result, success } from './result.ts';
export { Checkpoint, Session } from './session.ts';
export { defaultAlternatives, defaultMessages, ErrorCategory, StructuredError } from './structured-error.ts';
export { Attempt, CallToolResult, RawOutcome, ToolExecution, WorkflowStepEvidence } from './tool-execution.ts';
export { InvocationPurpose, OperationType, ProposalItem, ToolInvocation } from './tool-invocation.ts';
export { AggregateOutcome, ItemOutcome, MultiItemSummary, ResultItem, ToolResult } from './tool-result.ts';
export { topicCatalogue, type TopicEntry } from './topic-catalogue.ts';
export { type BusMessage, type Topic, topics } from './topics.ts';
export { PreValidationAnswer, TransactionDecision } from './transaction-decision.ts';
export { TurnExplanation } from './turn-explanation.ts';
