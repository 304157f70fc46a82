import { type z } from 'zod';
import { type StructuredError } from '../structured-error.ts';
import { type ToolExecution } from '../tool-execution.ts';
import { type ToolInvocation } from '../tool-invocation.ts';
import { type ToolResult } from '../tool-result.ts';
import { type TransactionDecision } from '../transaction-decision.ts';
import { type ContractExamples } from './contract-examples.ts';

type Of<T extends z.ZodType> = ContractExamples<z.input<T>>;

const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const consultarFatura: z.input<typeof ToolInvocation> = {
  tenant_id: 'default',
  agent_id: 'telecom_contas',
  tool_name: 'consultar_fatura',
  arguments: { msisdn: '11999999999', invoice_id: '3000131180' },
  business_context: { customer_key: '11999999999', contract_key: '3000131180' },
  metadata: { request_id: 'req-001', trace_id: 'trace-001' },
};

export const toolInvocationExamples: Of<typeof ToolInvocation> = {
  valid: {
    'spec-012': consultarFatura,
    'a-confirmed-proposal': {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      tool_name: 'cancelar_vas_avulso',
      arguments: { subject: 'TIM Fashion Mensal, Neymar Jr' },
      contract_version: 'tool-invocation-v1',
      invocation_id: '1c9e6679-7425-50de-944b-e07fc1f90ae7',
      transaction_id: '0197a3c1-7c5e-7c41-8a2b-0242ac120002',
      rev: 2,
      purpose: 'execution',
      operation_type: 'transactional',
      proposal_id: digest,
      idempotency_key: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
      items: [
        { id: 'tim-fashion-mensal', label: 'TIM Fashion Mensal' },
        { id: 'neymar-jr', label: 'Neymar Jr' },
      ],
      expires_at: '2026-06-19T12:15:00Z',
    },
  },
  invalid: {
    'without-arguments': { ...consultarFatura, arguments: undefined },
    'unknown-purpose': { ...consultarFatura, purpose: 'try_it' },
    'revision-zero': { ...consultarFatura, rev: 0 },
  },
};

const execution: z.input<typeof ToolExecution> = {
  contract_version: 'tool-execution-v1',
  invocation_id: '1c9e6679-7425-50de-944b-e07fc1f90ae7',
  invocation: consultarFatura,
  server: 'telecom',
  outcome: {
    kind: 'result',
    result: { content: [{ type: 'text', text: '{"status":"ABERTA"}' }], structuredContent: { status: 'ABERTA' } },
  },
  attempts: [{ number: 1, started_at: '2026-06-19T12:00:00Z', ended_at: '2026-06-19T12:00:00.140Z' }],
  latency_ms: 140,
};

export const toolExecutionExamples: Of<typeof ToolExecution> = {
  valid: {
    'the-server-answered': execution,
    'the-deadline-passed': { ...execution, outcome: { kind: 'timeout', timeout_ms: 10_000, sent: true } },
    'the-tool-asked-for-more': {
      ...execution,
      outcome: {
        kind: 'input_required',
        message: 'Qual é o motivo do cancelamento?',
        requestedSchema: { type: 'object', properties: { motivo: { type: 'string' } }, required: ['motivo'] },
      },
    },
    'a-workflow-with-a-later-failure': {
      ...execution,
      outcome: { kind: 'result', result: { content: [{ type: 'text', text: '2 items, each with its result.' }] } },
      workflow: {
        output: {
          cancelar_pedidos: {
            results: [
              { id: 'PED-1001', name: 'PED-1001', success: true, protocol: 'CAN-1' },
              { id: 'PED-1002', name: 'PED-1002', success: false, reason: 'already_shipped' },
            ],
          },
        },
        steps: [
          { id: 'cancelar', tool_name: 'retail_order_cancel', primary: true, has_effect: true, state: 'partly' },
          {
            id: 'avisar',
            tool_name: 'avisar_cliente',
            primary: false,
            has_effect: true,
            state: 'failed',
            error: { errorCategory: 'transient', isRetryable: true, message: 'smtp down', code: 'tool.error' },
          },
        ],
      },
    },
    'the-executor-refused': {
      ...execution,
      attempts: [],
      outcome: {
        kind: 'refused',
        error: {
          errorCategory: 'permission',
          isRetryable: false,
          message: 'The tool is not enabled for this channel.',
          code: 'tool.not_allowed',
        },
      },
    },
  },
  invalid: {
    'step-without-a-state': {
      ...execution,
      workflow: { output: {}, steps: [{ id: 'a', tool_name: 'b', primary: true, has_effect: false }] },
    },
    'question-without-a-schema': { ...execution, outcome: { kind: 'input_required', message: 'Which one?' } },
    'unknown-kind-of-outcome': { ...execution, outcome: { kind: 'maybe' } },
    'timeout-that-does-not-say-whether-it-was-sent': { ...execution, outcome: { kind: 'timeout', timeout_ms: 10_000 } },
  },
};

export const toolResultExamples: Of<typeof ToolResult> = {
  valid: {
    'spec-012': {
      tool_name: 'consultar_fatura',
      ok: true,
      data: { invoice_id: '3000131180', valor_total: 249.9, status: 'ABERTA' },
      cache: { hit: false, ttl_seconds: 300 },
      latency_ms: 140,
    },
    'some-items-failed': {
      tool_name: 'cancelar_vas_avulso',
      ok: true,
      data: null,
      latency_ms: 310,
      contract_version: 'tool-result-v1',
      outcome: 'PARTIAL_SUCCESS',
      partial_success: true,
      items: [
        { id: 'tim-fashion-mensal', label: 'TIM Fashion Mensal', outcome: 'succeeded', protocol: '2026061900001' },
        { id: 'neymar-jr', label: 'Neymar Jr', outcome: 'failed', reason: 'Serviço não está ativo', is_retryable: false },
      ],
      metadata: {
        multi_item: {
          status: 'PARTIAL_SUCCESS',
          items_count: 2,
          items_succeeded_count: 1,
          items_failed_count: 1,
          primary_tool: 'cancelar_vas_avulso',
        },
      },
    },
    'nobody-knows': {
      tool_name: 'cancelar_pedido',
      ok: false,
      data: null,
      latency_ms: 10_000,
      outcome: 'UNKNOWN',
      error: { errorCategory: 'transient', isRetryable: false, message: 'No answer in time', code: 'tool.timeout' },
    },
    'found-nothing': {
      tool_name: 'listar_faturas',
      ok: true,
      data: { count: 0, results: [] },
      latency_ms: 40,
      outcome: 'SUCCESS',
      empty: true,
      note: 'The tool ran and found nothing.',
    },
  },
  invalid: {
    'without-ok': { tool_name: 'consultar_fatura', data: {}, latency_ms: 1 },
    'negative-latency': { tool_name: 'consultar_fatura', ok: true, data: {}, latency_ms: -1 },
    'unknown-outcome': { tool_name: 'consultar_fatura', ok: true, data: {}, latency_ms: 1, outcome: 'OK' },
  },
};

export const structuredErrorExamples: Of<typeof StructuredError> = {
  valid: {
    'structured-errors-lesson': { errorCategory: 'transient', isRetryable: true, message: 'Upstream API timeout apos 10s' },
    'a-wrong-argument': {
      errorCategory: 'validation',
      isRetryable: false,
      message: 'order_id must look like PED-1001',
      code: 'tool.error',
      parameter: 'order_id',
      alternatives: ['listar_pedidos'],
    },
  },
  invalid: {
    'unknown-category': { errorCategory: 'network', isRetryable: true, message: 'x' },
    'without-is-retryable': { errorCategory: 'transient', message: 'x' },
  },
};

export const transactionDecisionExamples: Of<typeof TransactionDecision> = {
  valid: {
    'multi-item-guide': {
      resolved_arguments: {
        subject: 'TIM Fashion Mensal, Aya Audiobooks Premium, Neymar Jr',
        items: [{ name: 'TIM Fashion Mensal' }, { name: 'Aya Audiobooks Premium' }, { name: 'Neymar Jr' }],
      },
      target_tool: 'cancelar_vas_avulso',
      confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?',
    },
    'nothing-to-change': {},
  },
  invalid: {
    'arguments-are-a-list': { resolved_arguments: ['PED-1001'] },
    'tool-is-an-object': { target_tool: { name: 'cancelar_pedido' } },
  },
};
