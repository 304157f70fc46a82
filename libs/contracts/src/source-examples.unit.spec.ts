import { describe, expect, it } from '@jest/globals';
import { BusinessContext } from './business-context.ts';
import { ChannelResponse } from './channel-response.ts';
import { EvaluationRun } from './evaluation.ts';
import { EventEnvelope, requiredEnvelopeFields } from './event-envelope.ts';
import { GatewayRequest } from './gateway-request.ts';
import { LLMRequest, LLMResponse } from './llm.ts';
import { StructuredError } from './structured-error.ts';
import { ToolInvocation } from './tool-invocation.ts';
import { ToolResult } from './tool-result.ts';
import { PreValidationAnswer } from './transaction-decision.ts';

/** The worked examples of the source documents, unchanged; each must parse with its contract and come out as it went in. */
const examples = [
  {
    source: 'SPEC-012 section 4.1, GatewayRequest',
    schema: GatewayRequest,
    value: {
      channel: 'web',
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      payload: {
        message: 'Quero consultar minha fatura',
        session_id: 'session-001',
        user_id: 'user-001',
        message_id: 'msg-001',
        business_context: {
          customer_key: '11999999999',
          contract_key: '3000131180',
          interaction_key: '301953872',
          session_key: 'session-001',
        },
        metadata: { request_id: 'req-001', contract_version: 'gateway-request-v1' },
      },
    },
  },
  {
    source: 'SPEC-012 section 5, ChannelResponse',
    schema: ChannelResponse,
    value: {
      channel: 'web',
      session_id: 'default:telecom_contas:session-001',
      text: 'Resposta final do agente.',
      metadata: {
        tenant_id: 'default',
        agent_id: 'telecom_contas',
        route: 'billing_agent',
        intent: 'billing_invoice_explanation',
        guardrails: [],
        judges: [],
      },
    },
  },
  {
    source: 'SPEC-012 section 6.1, BusinessContext',
    schema: BusinessContext,
    value: {
      customer_key: '11999999999',
      contract_key: '3000131180',
      interaction_key: '301953872',
      account_key: null,
      resource_key: null,
      session_key: 'session-001',
      metadata: { source_channel: 'web' },
    },
  },
  {
    source: 'SPEC-012 section 8, ToolInvocation',
    schema: ToolInvocation,
    value: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      tool_name: 'consultar_fatura',
      arguments: { msisdn: '11999999999', invoice_id: '3000131180' },
      business_context: { customer_key: '11999999999', contract_key: '3000131180' },
      metadata: { request_id: 'req-001', trace_id: 'trace-001' },
    },
  },
  {
    source: 'SPEC-012 section 9, ToolResult',
    schema: ToolResult,
    value: {
      tool_name: 'consultar_fatura',
      ok: true,
      data: { invoice_id: '3000131180', valor_total: 249.9, status: 'ABERTA' },
      cache: { hit: false, ttl_seconds: 300 },
      latency_ms: 140,
    },
  },
  {
    source: 'SPEC-012 section 10, LLMRequest',
    schema: LLMRequest,
    value: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      profile: 'judge',
      operation: 'judge.response_quality',
      messages: [
        { role: 'system', content: 'Você é um avaliador.' },
        { role: 'user', content: 'Avalie a resposta.' },
      ],
      metadata: { request_id: 'req-001', trace_id: 'trace-001' },
    },
  },
  {
    source: 'SPEC-012 section 11, LLMResponse',
    schema: LLMResponse,
    value: {
      provider: 'oci_openai',
      model: 'openai.gpt-4.1',
      profile: 'judge',
      content: 'Resultado',
      usage: { input_tokens: 1200, output_tokens: 300, total_tokens: 1500 },
      latency_ms: 820,
    },
  },
  {
    source: 'SPEC-012 section 12, EvaluationRun',
    schema: EvaluationRun,
    value: {
      run_id: 'eval-001',
      agent_id: 'telecom_contas',
      source: 'langfuse',
      period_start: '2026-06-18T00:00:00Z',
      period_end: '2026-06-19T00:00:00Z',
      status: 'running',
    },
  },
  {
    source: 'SPEC-012 section 13, EventEnvelope',
    schema: EventEnvelope,
    value: {
      event_type: 'IC.AGENT_COMPLETED',
      timestamp: '2026-06-19T12:00:00Z',
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      session_id: 'session-001',
      trace_id: 'trace-001',
      payload: {},
    },
  },
  {
    source: 'Multi-item developer guide section 3, validator answer',
    schema: PreValidationAnswer,
    value: {
      eligible: true,
      subject: 'TIM Fashion, Aya Audiobooks, Neymar Jr',
      resolved_subject: 'TIM Fashion Mensal, Aya Audiobooks Premium, Neymar Jr',
      resolved_subjects: ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'],
      transaction_decision: {
        resolved_arguments: {
          subject: 'TIM Fashion Mensal, Aya Audiobooks Premium, Neymar Jr',
          items: [{ name: 'TIM Fashion Mensal' }, { name: 'Aya Audiobooks Premium' }, { name: 'Neymar Jr' }],
        },
        target_tool: 'cancelar_vas_avulso',
        confirmation_message:
          'Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?',
      },
    },
  },
  {
    source: 'Structured errors lesson, MCP error text',
    schema: StructuredError,
    value: { errorCategory: 'transient', isRetryable: true, message: 'Upstream API timeout apos 10s' },
  },
] as const;

describe('the worked examples of the source documents', () => {
  it.each(examples)('$source parses and comes out unchanged', ({ schema, value }) => {
    expect(schema.parse(value)).toEqual(value);
  });
});

describe('the envelope', () => {
  const envelope = EventEnvelope.parse({
    event_type: 'IC.AGENT_COMPLETED',
    timestamp: '2026-06-19T12:00:00Z',
    tenant_id: 'default',
    agent_id: 'telecom_contas',
    session_id: 'session-001',
    trace_id: 'trace-001',
    payload: {},
  });

  it.each(requiredEnvelopeFields)('requires %s', (field) => {
    const { [field]: _left, ...rest } = envelope;
    expect(EventEnvelope.safeParse(rest).success).toBe(false);
  });

  it('requires nothing else, and keeps fields that it does not know', () => {
    expect(EventEnvelope.parse({ ...envelope, from_the_future: { a: 1 } })).toMatchObject({ from_the_future: { a: 1 } });
  });
});

describe('a gateway request', () => {
  const minimal = { channel: 'web', payload: { message: 'oi', session_id: 's', message_id: 'm' } };

  it('needs only the fields that SPEC-012 section 4.2 requires', () => {
    expect(GatewayRequest.safeParse(minimal).success).toBe(true);
  });

  it.each(['message', 'session_id', 'message_id'])('is refused without payload.%s', (field) => {
    const payload = Object.fromEntries(Object.entries(minimal.payload).filter(([name]) => name !== field));
    expect(GatewayRequest.safeParse({ ...minimal, payload }).success).toBe(false);
  });

  it('is refused with a tenant that could be read as a part of another conversation key', () => {
    expect(GatewayRequest.safeParse({ ...minimal, tenant_id: 'a:b' }).success).toBe(false);
  });
});
