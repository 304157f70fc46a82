import { z } from 'zod';
import { Instant } from './instant.ts';
import { pinned } from './pinned.ts';

/**
 * One pass of the evaluator over a period, a dataset or the live stream.
 *
 * @example { run_id: 'eval-001', agent_id: 'telecom_contas', source: 'langfuse', period_start: '2026-06-18T00:00:00Z', status: 'running' }
 * @see SPEC-012 section 12
 */
export const EvaluationRun = z
  .looseObject({
    run_id: z.string().min(1).meta({ description: 'The run.', examples: ['eval-001'] }),
    agent_id: z.string().min(1).describe('The agent whose turns are judged.'),
    source: z.string().min(1).meta({ description: 'Where the turns come from.', examples: ['langfuse', 'live'] }),
    period_start: Instant.describe('Turns from this instant on, UTC.'),
    period_end: Instant.nullish().describe('Turns before this instant, UTC; null: no end.'),
    status: z.enum(['queued', 'running', 'completed', 'failed', 'abandoned']).describe('How far it is.'),
    tenant_id: z.string().optional().describe('The tenant.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['evaluation-run-v1'] }),
  })
  .meta({
    description: 'One pass of the evaluator over a period, a dataset or the live stream.',
    'x-source': 'SPEC-012 section 12',
  });
export type EvaluationRun = z.infer<typeof EvaluationRun>;

/**
 * One metric of one turn. `skipped` says that the metric did not apply or could not be measured: it is never a pass.
 *
 * @example { metric: 'groundedness', score: 1, threshold: 1, verdict: 'pass' }
 * @see SPEC-012 section 3, EvaluationResult
 */
export const MetricScore = z.looseObject({
  metric: z.string().min(1).meta({ description: 'The metric.', examples: ['groundedness'] }),
  score: z.number().min(0).max(1).nullable().describe('From 0 to 1; null when skipped.'),
  threshold: z.number().min(0).max(1).describe('The least score that passes, from 0 to 1.'),
  verdict: z.enum(['pass', 'fail', 'skipped']).describe('`skipped` is never a pass.').meta(pinned('Pass only where the metric was measured and reached its threshold.')),
  finding: z.string().nullish().describe('What was found, for a person.'),
});
export type MetricScore = z.infer<typeof MetricScore>;

/**
 * What the judges say of one finished turn, with references to the evidence that they read.
 *
 * @example { result_id: 'res-1', run_id: 'live', verdict: 'pass', scores: [{ metric: 'groundedness', ... }], findings: [], evidence: ['0197…'], ... }
 * @see SPEC-012 sections 3 and 16
 */
export const EvaluationResult = z
  .looseObject({
    result_id: z.string().min(1).describe('This result.'),
    run_id: z.string().min(1).describe('The run that it belongs to.'),
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent.'),
    session_id: z.string().min(1).describe('The session of the channel.'),
    conversation_key: z.string().min(1).describe('The conversation.'),
    turn_id: z.string().nullish().describe('The turn that was judged.'),
    transaction_id: z.string().nullish().describe('The transaction that the turn was about.'),
    verdict: z
      .enum(['pass', 'fail', 'inconclusive'])
      .describe('`inconclusive` when nothing failed and something needed could not be measured.'),
    scores: z.array(MetricScore).describe('One entry a metric.'),
    findings: z.array(z.string()).describe('What was found, for a person.'),
    evidence: z.array(z.string()).describe('`event_id`s of the messages that the scores rest on.'),
    suite_version: z.string().describe('Version of the metrics and their thresholds.'),
    config_digest: z.string().nullish().describe('The agent configuration that was in force.'),
    evaluated_at: Instant.describe('When it was judged, UTC.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['evaluation-result-v1'] }),
  })
  .meta({
    description: 'What the judges say of one finished turn, with references to the evidence that they read.',
    'x-source': 'SPEC-012 sections 3 and 16',
  });
export type EvaluationResult = z.infer<typeof EvaluationResult>;

/**
 * Whether a deployment may serve. A skipped or missing measurement gives `inconclusive`, never `certified`.
 *
 * @example { certification_id: 'cert-1', run_id: 'eval-001', agent_id: 'telecom_contas', verdict: 'inconclusive', scores: [...], ... }
 * @see SPEC-012 section 3
 */
export const CertificationResult = z
  .looseObject({
    certification_id: z.string().min(1).describe('This certification.'),
    run_id: z.string().min(1).describe('The evaluation run that it rests on.'),
    agent_id: z.string().min(1).describe('The agent.'),
    tenant_id: z.string().optional().describe('The tenant, where it holds for one only.'),
    verdict: z
      .enum(['certified', 'failed', 'inconclusive', 'not_certifiable'])
      .describe('`inconclusive`: a measurement is missing. `not_certifiable`: the deployment cannot be measured at all.'),
    scores: z.array(MetricScore).describe('One entry a metric, over the whole run.'),
    findings: z.array(z.string()).describe('What was found, for a person.'),
    suite_version: z.string().describe('Version of the metrics and their thresholds.'),
    config_digest: z.string().nullish().describe('The configuration that was certified.'),
    contract_versions: z
      .record(z.string(), z.string())
      .meta({
        description: 'The contracts that the deployment speaks: name -> version.',
        examples: [{ 'gateway-request': 'gateway-request-v1' }],
      }),
    certified_at: Instant.describe('When the verdict was given, UTC.'),
    expires_at: Instant.nullish().describe('When it ends to hold, UTC; null: with the next change.'),
    contract_version: z
      .string()
      .optional()
      .meta({ description: 'This contract.', examples: ['certification-result-v1'] }),
  })
  .meta({ description: 'Whether a deployment may serve.', 'x-source': 'SPEC-012 section 3' });
export type CertificationResult = z.infer<typeof CertificationResult>;
