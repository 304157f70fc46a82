import { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer, type ToolCall } from '@latch/mcp-server';
import { z } from 'zod';
import { type OrderBook, protocolOf, unknownOrder } from './order-book.ts';
import { OrderId } from './order-tools.ts';
import { type Order, type OrderItem } from './orders.ts';

const Name = z.string().min(1).max(200);
const ReturnRequest = z.object({
  order_id: OrderId,
  reason: z.string().min(1).max(1_000).describe('Motivo, nas palavras do cliente.'),
  items: z
    .array(z.union([Name, z.looseObject({ name: Name.optional(), id: Name.optional() })]))
    .min(1)
    .max(100)
    .optional()
    .describe('Itens a devolver, por nome ou SKU; sem eles, o pedido inteiro.'),
});
type ReturnRequest = z.output<typeof ReturnRequest>;

/** Return of a delivered order, whole or in part. */
export function createReturnTools(book: OrderBook): DomainTool[] {
  return [
    defineTool({
      name: 'solicitar_devolucao',
      title: 'Solicitar devolução',
      description: 'Abre a devolução de um pedido entregue. Devolve results[] com o resultado de cada item.',
      input: ReturnRequest,
      output: z.looseObject({
        order_id: z.string(),
        results: z.array(z.looseObject({ name: z.string(), success: z.boolean() })),
      }),
      isReadOnly: false,
      handle: (call) => requestReturn(book, call),
    }),
  ];
}

function requestReturn(book: OrderBook, call: ToolCall<ReturnRequest>): ToolAnswer {
  const { order_id, items, reason } = call.arguments;
  const order = book.find(order_id);
  if (order === null) return refuseWith(unknownOrder(order_id));
  if (order.status !== 'ENTREGUE') {
    const why = order.status === 'EM_DEVOLUCAO' ? 'já está em devolução' : 'ainda não foi entregue';
    const message = `O pedido ${order.orderId} ${why}. Só um pedido entregue pode ser devolvido.`;
    return refuseWith({ errorCategory: 'business', isRetryable: false, message });
  }
  const results = wantedItems(order, items).map((item, index) => returnItem(item, { call, order, index }));
  const returned = results.filter(({ success }) => success).length;
  if (returned > 0) book.setStatus(order.orderId, 'EM_DEVOLUCAO');
  return answerWith({ order_id: order.orderId, motivo: reason, results }, returned);
}

type Wanted = { readonly said: string; readonly item: OrderItem | null };

function wantedItems(order: Order, items: ReturnRequest['items']): Wanted[] {
  if (items === undefined) return order.items.map((item) => ({ said: item.nome, item }));
  return items.map((named) => {
    const said = typeof named === 'string' ? named : (named.id ?? named.name ?? '');
    return { said, item: order.items.find((item) => isCalled(item, said)) ?? null };
  });
}

function isCalled(item: OrderItem, said: string): boolean {
  const wanted = plain(said);
  return plain(item.sku) === wanted || (wanted.length >= 3 && plain(item.nome).includes(wanted));
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}

type ItemResult = {
  readonly name: string;
  readonly id?: string;
  readonly success: boolean;
  readonly reason?: string;
  readonly protocol?: string;
  readonly isRetryable?: boolean;
};

function returnItem(
  { said, item }: Wanted,
  of: { readonly call: ToolCall<ReturnRequest>; readonly order: Order; readonly index: number },
): ItemResult {
  if (item === null) return { name: said, success: false, reason: 'item_nao_encontrado' };
  const named = { name: item.nome, id: item.sku };
  if (of.call.itemLimit !== null && of.index >= of.call.itemLimit) {
    return { ...named, success: false, reason: 'temporarily_unavailable', isRetryable: true };
  }
  return {
    ...named,
    success: true,
    protocol: protocolOf('DEV', of.call.idempotencyKey, `${of.order.orderId}:${item.sku}`),
  };
}
