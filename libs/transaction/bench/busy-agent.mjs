// A realistic configuration: 20 tools of every kind, 40 intents with keywords and examples. The benchmarks of transaction and nlu share it.
const things = [
  ...['pedido', 'fatura', 'plano', 'contrato', 'endereço', 'cartão', 'seguro', 'boleto', 'entrega', 'assinatura'],
  ...['chamado', 'equipamento', 'visita', 'franquia', 'cupom', 'cadastro', 'reserva', 'parcela', 'garantia', 'recarga'],
];
const operations = ['transactional', 'transactional', 'read_only', 'conversational'];

function parameter(name, more = {}) {
  const rest = { description: null, userPrompt: null, pattern: null, enum: null, minimum: null, maximum: null };
  return { name, type: 'string', format: null, label: `o campo ${name}`, default: null, ...rest, ...more };
}

function parametersOf(thing, index) {
  const id = parameter(`${thing}_id`, {
    label: `o número do ${thing}`,
    pattern: `^${thing.slice(0, 3).toUpperCase()}-[0-9]{4,}$`,
  });
  const more = [
    parameter('valor', { type: 'number', format: 'money', label: 'o valor', minimum: 0.01 }),
    parameter('data', { format: 'date', label: 'a data' }),
    parameter('motivo', { label: 'o motivo' }),
  ];
  return [id, ...more.slice(0, (index + 3) % 4)];
}

function toolOf(thing, index) {
  const operationType = operations[index % operations.length];
  const parameters = parametersOf(thing, index);
  return {
    name: `tool_${thing}`,
    description: `Trata de ${thing}.`,
    label: `o serviço de ${thing}`,
    server: 'bench',
    enabled: true,
    operationType,
    requiresConfirmation: operationType === 'transactional',
    requires: parameters.map(({ name }) => name),
    parameters: Object.fromEntries(parameters.map((declared) => [declared.name, declared])),
    preValidation: index % 4 === 1 ? { tool: 'tool_fatura', failOpen: false } : null,
    mapping: { map: { customer_key: 'customer_id' }, defaults: { canal: 'web' }, idempotencyArgument: null },
    declaredIdempotent: false,
    reconcileTool: null,
    timeoutMs: 10_000,
    maxAttempts: 3,
  };
}

const tools = things.map(toolOf);
const intents = things.flatMap((thing, index) => [
  intentOf(
    `cancelar_${thing}`,
    tools[index].name,
    [`cancelar ${thing}`],
    [`quero cancelar meu ${thing}`, `cancela o ${thing} {${thing}_id}`, `preciso cancelar o ${thing}`],
  ),
  intentOf(
    `consultar_${thing}`,
    index % 5 === 4 ? null : tools[index].name,
    [`consultar ${thing}`],
    [`quero ver meu ${thing}`, `como está o ${thing} {${thing}_id}`, `me mostra o ${thing}`],
  ),
]);

function intentOf(intent, tool, keywords, examples) {
  return { intent, route: 'bench', tool, keywords, examples, reply: tool === null ? 'Atendemos das 8h às 20h.' : null };
}

export const busyAgent = {
  agentId: 'busy',
  name: 'Busy',
  locale: 'pt-BR',
  timeZone: 'America/Sao_Paulo',
  tenants: [],
  channels: [],
  intents,
  tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
  domainWords: things,
  maxClarifications: 3,
  confirmationTtlSeconds: 900,
  collectionTtlSeconds: 900,
  maxParked: 2,
  digest: 'b'.repeat(64),
};
