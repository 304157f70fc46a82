import {
  CertificationResult,
  ChannelResponse,
  DeadLetter,
  DeadLetterRedrive,
  EvaluationResult,
  EvaluationRun,
  EventEnvelope,
  GatewayRequest,
  ToolExecution,
  ToolInvocation,
  ToolResult,
  type Topic,
  topics,
  TurnConflict,
} from '@latch/contracts';
import { type ZodType } from 'zod';

/** The contract of the payload on each topic (DESIGN section 3). Signals carry any payload; what it holds is in the event catalogue. */
export const payloadSchemas: Readonly<Record<Topic, ZodType>> = {
  [topics.turns]: GatewayRequest,
  [topics.toolInvocations]: ToolInvocation,
  [topics.toolExecutions]: ToolExecution,
  [topics.toolResults]: ToolResult,
  [topics.responses]: ChannelResponse.or(TurnConflict),
  [topics.signals]: EventEnvelope.shape.payload,
  [topics.evaluations]: EvaluationResult.or(CertificationResult).or(EvaluationRun),
  [topics.deadLetters]: DeadLetter.or(DeadLetterRedrive),
};
