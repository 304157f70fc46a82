import { type Texts } from './texts.ts';

/** Brazilian Portuguese. */
export const ptBr: Texts = {
  help: 'Não entendi. Pode dizer de outro jeito?',
  helpWith: 'Posso ajudar com:',
  askFor: (label) => `Por favor, informe ${label}.`,
  notUnderstood: 'Não entendi a resposta.',
  confirm: (tool) => `Você confirma ${tool}?`,
  confirmWhy: {
    unclear: 'Não ficou claro se você confirma.',
    amended: 'Certo, mudei o que você pediu.',
    renewed: 'Antes de seguir, preciso da sua confirmação de novo.',
  },
  answerYesOrNo: 'Responda "sim" ou "não".',
  answerOrChange: 'Responda "sim", "não", ou diga o que quer mudar.',
  likelyRefused: 'Vai junto, mas deve ser recusado:',
  done: (tool) => `Pronto, está feito: ${tool}.`,
  partlyDone: (tool) => `Só uma parte foi concluída (${tool}):`,
  notDone: (tool) => `Não consegui concluir ${tool}.`,
  unknown: (tool) =>
    `Ainda não sei o resultado: enviei ${tool}, mas a resposta não chegou. Estou verificando; por favor, não repita o pedido.`,
  unknownForPerson: (tool) =>
    `Ainda não sei o resultado: enviei ${tool}, mas a resposta não chegou. Uma pessoa vai verificar; por favor, não repita o pedido.`,
  readFailed: (tool) => `Não consegui fazer ${tool}: a resposta não chegou.`,
  counts: ({ succeeded, failed, unknown }) =>
    [
      count(succeeded, 'concluído', 'concluídos'),
      count(failed, 'não concluído', 'não concluídos'),
      count(unknown, 'sem resultado conhecido', 'sem resultado conhecido'),
    ]
      .filter((part) => part !== '')
      .join(', '),
  itemSucceeded: 'concluído',
  itemFailed: 'não concluído',
  itemUnknown: 'resultado desconhecido por enquanto',
  protocol: (protocol) => `protocolo ${protocol}`,
  nothingFound: 'A consulta foi feita e não encontrou nada.',
  reason: (reason) => `Motivo: ${reason}`,
  byCategory: {
    transient: 'O sistema não está respondendo agora.',
    permission: 'Isso precisa de uma autorização que eu não tenho; um atendente pode ajudar.',
  },
  alternatives: 'Alternativas:',
  afterwards: (reason) =>
    `Depois disso, uma etapa auxiliar falhou (${reason}). O que está dito acima continua valendo.`,
  retryItems: 'Se quiser, diga "tenta de novo os que falharam".',
  retryAll: 'Se quiser, diga "tenta de novo".',
  laterOnly: 'Tente mais tarde.',
  notEligible: (tool) => `Não é possível seguir com ${tool}.`,
  validationFailed: (tool) => `Não consegui verificar os dados, então nada foi feito com ${tool}.`,
  cancelled: (tool) => `Tudo bem, não vou seguir com ${tool}. Nada foi executado.`,
  expired: (tool) =>
    `O prazo para confirmar terminou, então não executei ${tool}. Se ainda quiser, é só pedir de novo.`,
  working: (tool) => `Já estou trabalhando nisto: ${tool}. Aviso assim que houver resultado.`,
  parked: (tool) => `Deixei em espera: ${tool}.`,
  offerResume: (tool) => `Quer retomar ${tool}?`,
  resumed: (tool) => `Vamos retomar ${tool}.`,
  nothingToConfirm: 'Não há nada esperando confirmação.',
  staleConfirmation: 'Essa confirmação era de um pedido que já mudou ou terminou, então nada foi executado por ela.',
  notYoursToConfirm: 'Só quem fez este pedido pode responder por ele, então nada foi executado.',
  handoff: 'Vou passar você para um atendente.',
  inconsistent: 'Perdi o fio desta conversa e não vou executar nada. Por favor, diga de novo o que precisa.',
  yes: 'sim',
  no: 'não',
  more: (amount) => `... e mais ${amount}`,
  attachment: '(conteúdo anexado)',
  reasons: {
    not_found: 'não encontrado',
    item_nao_encontrado: 'não encontrado',
    nao_encontrado: 'não encontrado',
    already_shipped: 'já foi enviado',
    already_cancelled: 'já estava cancelado',
    already_delivered: 'já foi entregue',
    not_eligible: 'não é elegível',
    nao_elegivel: 'não é elegível',
    locked: 'está bloqueado',
    timeout: 'o sistema não respondeu a tempo',
  },
  fields: {
    order_id: 'Pedido',
    status: 'Situação',
    total: 'Total',
    amount: 'Valor',
    valor: 'Valor',
    due_date: 'Vencimento',
    vencimento: 'Vencimento',
    items: 'Itens',
    itens: 'Itens',
    name: 'Nome',
    id: 'Código',
    tracking_code: 'Código de rastreio',
    carrier: 'Transportadora',
    estimated_delivery: 'Previsão de entrega',
    customer: 'Cliente',
    description: 'Descrição',
    protocol: 'Protocolo',
    protocolo: 'Protocolo',
    price: 'Preço',
    date: 'Data',
    quantity: 'Quantidade',
  },
};

function count(amount: number, one: string, many: string): string {
  if (amount === 0) return '';
  return amount === 1 ? `1 ${one}` : `${amount} ${many}`;
}
