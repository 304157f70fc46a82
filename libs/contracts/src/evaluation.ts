import { z } from 'zod';
import { Instant } from './instant.ts';

/** One pass of the evaluator over a period, a dataset or the live stream (SPEC-012 section 12). */
export const EvaluationRun = z.looseObject({
  run_id: z.string().min(1),
  agent_id: z.string().min(1),
  source: z.string().min(1),
  period_start: Instant,
  period_end: Instant.nullish(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'abandoned']),
  tenant_id: z.string().optional(),
  contract_version: z.string().optional(),
});
export type EvaluationRun = z.infer<typeof EvaluationRun>;

/** One metric of one turn. `skipped` says that the metric did not apply or could not be measured: it is never a pass. */
export const MetricScore = z.looseObject({
  metric: z.string().min(1),
  /** From 0 to 1; null when skipped. */
  score: z.number().min(0).max(1).nullable(),
  threshold: z.number().min(0).max(1),
  verdict: z.enum(['pass', 'fail', 'skipped']),
  finding: z.string().nullish(),
});
export type MetricScore = z.infer<typeof MetricScore>;

/** What the judges say of one finished turn, with references to the evidence that they read. */
export const EvaluationResult = z.looseObject({
  result_id: z.string().min(1),
  run_id: z.string().min(1),
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  session_id: z.string().min(1),
  conversation_key: z.string().min(1),
  turn_id: z.string().nullish(),
  transaction_id: z.string().nullish(),
  verdict: z.enum(['pass', 'fail', 'inconclusive']),
  scores: z.array(MetricScore),
  findings: z.array(z.string()),
  /** `event_id`s of the messages that the scores rest on. */
  evidence: z.array(z.string()),
  suite_version: z.string(),
  config_digest: z.string().nullish(),
  evaluated_at: Instant,
  contract_version: z.string().optional(),
});
export type EvaluationResult = z.infer<typeof EvaluationResult>;

/** Whether a deployment may serve. A skipped or missing measurement gives `inconclusive`, never `certified`. */
export const CertificationResult = z.looseObject({
  certification_id: z.string().min(1),
  run_id: z.string().min(1),
  agent_id: z.string().min(1),
  tenant_id: z.string().optional(),
  verdict: z.enum(['certified', 'failed', 'inconclusive', 'not_certifiable']),
  scores: z.array(MetricScore),
  findings: z.array(z.string()),
  suite_version: z.string(),
  config_digest: z.string().nullish(),
  contract_versions: z.record(z.string(), z.string()),
  certified_at: Instant,
  expires_at: Instant.nullish(),
  contract_version: z.string().optional(),
});
export type CertificationResult = z.infer<typeof CertificationResult>;
