import { type Texts } from './texts.ts';

/** Spanish. */
export const es: Texts = {
  help: 'No entendí. ¿Puede decirlo de otra manera?',
  helpWith: 'Puedo ayudar con:',
  askFor: (label) => `Por favor, indique ${label}.`,
  notUnderstood: 'No entendí la respuesta.',
  confirm: (tool) => `¿Confirma ${tool}?`,
  confirmWhy: {
    unclear: 'No quedó claro si confirma.',
    amended: 'De acuerdo, cambié lo que pidió.',
    renewed: 'Antes de seguir, necesito su confirmación otra vez.',
  },
  answerYesOrNo: 'Responda "sí" o "no".',
  answerOrChange: 'Responda "sí", "no", o diga qué quiere cambiar.',
  likelyRefused: 'Se envía también, pero es probable que se rechace:',
  done: (tool) => `Listo, ya está hecho: ${tool}.`,
  partlyDone: (tool) => `Solo una parte se completó (${tool}):`,
  notDone: (tool) => `No pude completar ${tool}.`,
  unknown: (tool) =>
    `Todavía no sé el resultado: envié ${tool}, pero la respuesta no llegó. Lo estoy verificando; por favor, no repita el pedido.`,
  unknownForPerson: (tool) =>
    `Todavía no sé el resultado: envié ${tool}, pero la respuesta no llegó. Una persona lo va a verificar; por favor, no repita el pedido.`,
  readFailed: (tool) => `No pude hacer ${tool}: la respuesta no llegó.`,
  counts: ({ succeeded, failed, unknown }) =>
    [
      count(succeeded, 'completado', 'completados'),
      count(failed, 'no completado', 'no completados'),
      count(unknown, 'sin resultado conocido', 'sin resultado conocido'),
    ]
      .filter((part) => part !== '')
      .join(', '),
  itemSucceeded: 'completado',
  itemFailed: 'no completado',
  itemUnknown: 'resultado desconocido por ahora',
  protocol: (protocol) => `protocolo ${protocol}`,
  nothingFound: 'La consulta se hizo y no encontró nada.',
  reason: (reason) => `Motivo: ${reason}`,
  byCategory: {
    transient: 'El sistema no responde en este momento.',
    permission: 'Esto necesita una autorización que no tengo; una persona puede ayudar.',
  },
  alternatives: 'Alternativas:',
  afterwards: (reason) => `Después, un paso auxiliar falló (${reason}). Lo dicho arriba sigue valiendo.`,
  retryItems: 'Si quiere, diga "intenta de nuevo los que fallaron".',
  retryAll: 'Si quiere, diga "intenta de nuevo".',
  laterOnly: 'Intente más tarde.',
  notEligible: (tool) => `No es posible seguir con ${tool}.`,
  validationFailed: (tool) => `No pude verificar los datos, así que no se hizo nada con ${tool}.`,
  cancelled: (tool) => `De acuerdo, no seguiré con ${tool}. No se ejecutó nada.`,
  expired: (tool) =>
    `El plazo para confirmar terminó, así que no ejecuté ${tool}. Si todavía lo quiere, basta con pedirlo de nuevo.`,
  working: (tool) => `Ya estoy trabajando en esto: ${tool}. Aviso en cuanto haya resultado.`,
  parked: (tool) => `Dejé en espera: ${tool}.`,
  offerResume: (tool) => `¿Quiere retomar ${tool}?`,
  resumed: (tool) => `Vamos a retomar ${tool}.`,
  nothingToConfirm: 'No hay nada que espere confirmación.',
  staleConfirmation: 'Esa confirmación era de un pedido que ya cambió o terminó, así que no ejecutó nada.',
  notYoursToConfirm: 'Solo quien hizo este pedido puede responder por él, así que no se ejecutó nada.',
  handoff: 'Le paso con una persona.',
  inconsistent: 'Perdí el hilo de esta conversación y no voy a ejecutar nada. Por favor, diga de nuevo qué necesita.',
  yes: 'sí',
  no: 'no',
  more: (amount) => `... y ${amount} más`,
  attachment: '(contenido adjunto)',
  reasons: {
    not_found: 'no encontrado',
    item_nao_encontrado: 'no encontrado',
    nao_encontrado: 'no encontrado',
    already_shipped: 'ya fue enviado',
    already_cancelled: 'ya estaba cancelado',
    already_delivered: 'ya fue entregado',
    not_eligible: 'no es elegible',
    nao_elegivel: 'no es elegible',
    locked: 'está bloqueado',
    timeout: 'el sistema no respondió a tiempo',
  },
  fields: {
    order_id: 'Pedido',
    status: 'Estado',
    total: 'Total',
    amount: 'Importe',
    valor: 'Importe',
    due_date: 'Vencimiento',
    vencimento: 'Vencimiento',
    items: 'Artículos',
    itens: 'Artículos',
    name: 'Nombre',
    id: 'Código',
    tracking_code: 'Código de seguimiento',
    carrier: 'Transportista',
    estimated_delivery: 'Entrega prevista',
    customer: 'Cliente',
    description: 'Descripción',
    protocol: 'Protocolo',
    protocolo: 'Protocolo',
    price: 'Precio',
    date: 'Fecha',
    quantity: 'Cantidad',
  },
};

function count(amount: number, one: string, many: string): string {
  if (amount === 0) return '';
  return amount === 1 ? `1 ${one}` : `${amount} ${many}`;
}
