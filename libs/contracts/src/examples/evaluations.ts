import { type z } from 'zod';
import { type CertificationResult, type EvaluationResult, type EvaluationRun, type MetricScore } from '../evaluation.ts';
import { type LLMRequest, type LLMResponse } from '../llm.ts';
import { type ContractExamples } from './contract-examples.ts';

type Of<T extends z.ZodType> = ContractExamples<z.input<T>>;

const run: z.input<typeof EvaluationRun> = {
  run_id: 'eval-001',
  agent_id: 'telecom_contas',
  source: 'langfuse',
  period_start: '2026-06-18T00:00:00Z',
  period_end: '2026-06-19T00:00:00Z',
  status: 'running',
};

export const evaluationRunExamples: Of<typeof EvaluationRun> = {
  valid: { 'spec-012': run, 'without-end': { ...run, period_end: null, source: 'live' } },
  invalid: { 'unknown-status': { ...run, status: 'paused' }, 'without-start': { ...run, period_start: undefined } },
};

const scores: z.input<typeof MetricScore>[] = [
  { metric: 'groundedness', score: 1, threshold: 1, verdict: 'pass' },
  { metric: 'tool_correctness', score: null, threshold: 1, verdict: 'skipped', finding: 'No tool ran.' },
];

const result: z.input<typeof EvaluationResult> = {
  result_id: 'res-001',
  run_id: 'live',
  tenant_id: 'default',
  agent_id: 'telecom_contas',
  session_id: 'session-001',
  conversation_key: 'default:telecom_contas:session-001',
  turn_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
  verdict: 'inconclusive',
  scores,
  findings: ['tool_correctness was skipped: no tool ran.'],
  evidence: ['1c9e6679-7425-50de-944b-e07fc1f90ae7'],
  suite_version: 'online-1',
  evaluated_at: '2026-06-19T12:00:01Z',
  contract_version: 'evaluation-result-v1',
};

export const evaluationResultExamples: Of<typeof EvaluationResult> = {
  valid: { 'a-skip-is-no-pass': result },
  invalid: {
    'score-above-one': { ...result, scores: [{ metric: 'groundedness', score: 1.2, threshold: 1, verdict: 'pass' }] },
    'certification-verdict': { ...result, verdict: 'certified' },
  },
};

const certification: z.input<typeof CertificationResult> = {
  certification_id: 'cert-001',
  run_id: 'eval-001',
  agent_id: 'telecom_contas',
  verdict: 'inconclusive',
  scores,
  findings: ['tool_correctness was skipped: a skip is never a pass.'],
  suite_version: 'certification-1',
  config_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  contract_versions: { 'gateway-request': 'gateway-request-v1', 'tool-result': 'tool-result-v1' },
  certified_at: '2026-06-19T12:00:01Z',
  contract_version: 'certification-result-v1',
};

export const certificationResultExamples: Of<typeof CertificationResult> = {
  valid: {
    'a-skip-is-inconclusive': certification,
    certified: {
      ...certification,
      verdict: 'certified',
      findings: [],
      scores: [{ metric: 'groundedness', score: 1, threshold: 1, verdict: 'pass' }],
      expires_at: '2026-07-19T12:00:01Z',
    },
  },
  invalid: {
    'a-fifth-verdict': { ...certification, verdict: 'passed' },
    'without-contract-versions': { ...certification, contract_versions: undefined },
  },
};

const request: z.input<typeof LLMRequest> = {
  tenant_id: 'default',
  agent_id: 'telecom_contas',
  profile: 'judge',
  operation: 'judge.response_quality',
  messages: [
    { role: 'system', content: 'Você é um avaliador.' },
    { role: 'user', content: 'Avalie a resposta.' },
  ],
  metadata: { request_id: 'req-001', trace_id: 'trace-001' },
};

export const llmRequestExamples: Of<typeof LLMRequest> = {
  valid: { 'spec-012': request },
  invalid: {
    'unknown-role': { ...request, messages: [{ role: 'robot', content: 'x' }] },
    'without-profile': { ...request, profile: undefined },
  },
};

const response: z.input<typeof LLMResponse> = {
  provider: 'oci_openai',
  model: 'openai.gpt-4.1',
  profile: 'judge',
  content: 'Resultado',
  usage: { input_tokens: 1200, output_tokens: 300, total_tokens: 1500 },
  latency_ms: 820,
};

export const llmResponseExamples: Of<typeof LLMResponse> = {
  valid: { 'spec-012': response },
  invalid: {
    'half-a-token': { ...response, usage: { input_tokens: 0.5, output_tokens: 1, total_tokens: 1.5 } },
    'without-usage': { ...response, usage: undefined },
  },
};
