import { readFileSync } from 'node:fs';
import { type AgentConfig, type IntentConfig, type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { type Expectation, type Understanding } from '@latch/transaction';
import { understand } from './understand.ts';

/** Monday morning in São Paulo. */
export const now = '2026-11-30T09:00:00-03:00';

export function parameter(name: string, of: Partial<ParameterConfig> = {}): ParameterConfig {
  const rest = { description: null, userPrompt: null, pattern: null, enum: null, minimum: null, maximum: null };
  return { name, type: 'string', format: null, label: name, default: undefined, ...rest, ...of };
}

export function tool(name: string, label: string, parameters: readonly ParameterConfig[]): ToolConfig {
  return {
    name,
    label,
    description: '',
    server: 'sample',
    enabled: true,
    operationType: 'transactional',
    requiresConfirmation: true,
    requires: parameters.map((each) => each.name),
    parameters: Object.fromEntries(parameters.map((each) => [each.name, each])),
    preValidation: null,
    mapping: { map: {}, defaults: {}, idempotencyArgument: null },
    declaredIdempotent: false,
    reconcileTool: null,
    timeoutMs: 1_000,
    maxAttempts: 1,
  };
}

export function intent(name: string, toolName: string | null, of: Partial<IntentConfig>): IntentConfig {
  return { intent: name, route: name, tool: toolName, keywords: [], examples: [], reply: null, ...of };
}

export function agent(of: Partial<AgentConfig>): AgentConfig {
  return {
    agentId: 'sample',
    name: 'Sample',
    locale: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    tenants: [],
    channels: [],
    intents: [],
    tools: {},
    domainWords: [],
    maxClarifications: 3,
    confirmationTtlSeconds: 900,
    collectionTtlSeconds: 900,
    maxParked: 2,
    digest: 'sample',
    ...of,
  };
}

const orderId = parameter('order_id', { label: 'o número do pedido', pattern: '^PED-[0-9]{4,}$' });

export const cancelOrder = tool('retail_order_cancel', 'o cancelamento do pedido', [orderId]);
export const trackOrder = tool('retail_order_tracking', 'o rastreamento do pedido', [orderId]);

/** The retail agent of the seeds. */
export const retail = agent({
  tools: { retail_order_cancel: cancelOrder, retail_order_tracking: trackOrder },
  domainWords: ['pedido', 'pedidos', 'entrega'],
  intents: [
    intent('cancelar_pedido', 'retail_order_cancel', {
      keywords: ['cancelar pedido', 'cancelamento de pedido'],
      examples: ['quero cancelar pedido', 'quero cancelar o pedido {order_id}', 'cancela o pedido {order_id}'],
    }),
    intent('rastrear_pedido', 'retail_order_tracking', {
      keywords: ['rastrear pedido', 'rastreamento', 'pedido'],
      examples: ['quero rastrear pedido', 'onde está o pedido {order_id}', 'pedido {order_id}'],
    }),
  ],
});

export const cancelServices = tool('cancelar_vas_avulso', 'o cancelamento dos serviços', [
  parameter('subject', { label: 'o serviço ou os serviços' }),
]);
export const cancelProducts = tool('cancelar_produtos', 'o cancelamento dos produtos', [
  parameter('items', { type: 'array', label: 'os produtos' }),
]);
export const showInvoice = tool('consultar_fatura', 'a consulta da fatura', []);
export const disputeCharge = tool('contestar_cobranca', 'a contestação da cobrança', [
  parameter('subject', { label: 'a cobrança' }),
  parameter('valor', { type: 'number', format: 'money', label: 'o valor', minimum: 0.01 }),
]);

/** The telecom agent of the seeds. */
export const telecom = agent({
  tools: {
    cancelar_vas_avulso: cancelServices,
    cancelar_produtos: cancelProducts,
    consultar_fatura: showInvoice,
    contestar_cobranca: disputeCharge,
  },
  domainWords: ['fatura', 'conta', 'serviço', 'plano'],
  intents: [
    intent('cancelar_vas', 'cancelar_vas_avulso', {
      keywords: ['cancelar serviço'],
      examples: ['quero cancelar um serviço', 'cancela {subject}', 'cancela o serviço {subject}'],
    }),
    intent('cancelar_produtos', 'cancelar_produtos', {
      keywords: ['cancelar produtos'],
      examples: ['cancela os produtos {items}'],
    }),
    intent('consultar_fatura', 'consultar_fatura', {
      keywords: ['fatura'],
      examples: ['quero ver minha fatura', 'qual o valor da minha fatura'],
    }),
    intent('contestar', 'contestar_cobranca', {
      keywords: ['contestar', 'cobrança indevida'],
      examples: [
        'não contratei {subject}',
        'não reconheço a cobrança de {subject}',
        'quero contestar {valor} de {subject}',
      ],
    }),
  ],
});

export const nothingOpen: Expectation = { kind: 'nothing' };

export function pending(
  of: ToolConfig,
  missing: readonly string[],
  collected: Readonly<Record<string, unknown>> = {},
): Expectation {
  return { kind: 'parameters', tool: of, missing, collected };
}

export function awaiting(
  of: ToolConfig,
  collected: Readonly<Record<string, unknown>>,
  items: readonly { id: string; label: string }[] = [],
): Expectation {
  return { kind: 'confirmation', tool: of, items, collected };
}

export function read(text: string, by: AgentConfig, expectation: Expectation): Understanding {
  return understand({ text, agent: by, expectation, now });
}

/** The rows of a fixture file. */
export function rows<T>(file: string, parse: (line: Record<string, unknown>) => T): readonly T[] {
  return readFileSync(new URL(`./fixtures/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parse(JSON.parse(line)));
}
