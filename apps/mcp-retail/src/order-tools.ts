import { type StructuredError } from '@latch/contracts';
import { answerWith, defineTool, type DomainTool, refuseWith } from '@latch/mcp-server';
import { z } from 'zod';
import { type OrderBook, unknownOrder } from './order-book.ts';
import { type Order } from './orders.ts';

/** The argument that most tools here share. */
export const OrderId = z.string().min(1).max(40).describe('Número do pedido, como PED-1001.');

/** Reading of orders and of their way to the customer. */
export function createOrderTools(book: OrderBook): DomainTool[] {
  return [
    defineTool({
      name: 'consultar_pedido',
      title: 'Consultar pedido',
      description: 'Consulta os dados de um pedido.',
      input: z.object({ order_id: OrderId, customer_id: z.string().max(100).optional() }),
      output: z.looseObject({ order_id: z.string(), status: z.string(), valor_total: z.number() }),
      isReadOnly: true,
      handle: ({ arguments: { order_id, customer_id } }) => {
        const order = book.find(order_id);
        if (order === null) return refuseWith(unknownOrder(order_id));
        if (customer_id !== undefined && customer_id !== order.customerId) return refuseWith(foreignOrder(order_id));
        return answerWith(tellOrder(order));
      },
    }),
    defineTool({
      name: 'rastrear_pedido',
      title: 'Rastrear pedido',
      description: 'Diz onde está um pedido e quando chega.',
      input: z.object({ order_id: OrderId }),
      output: z.looseObject({ order_id: z.string(), status: z.string() }),
      isReadOnly: true,
      handle: ({ arguments: { order_id } }) => {
        const order = book.find(order_id);
        return order === null ? refuseWith(unknownOrder(order_id)) : answerWith(tellTracking(order));
      },
    }),
  ];
}

function foreignOrder(orderId: string): StructuredError {
  const message = `O pedido ${orderId} é de outro cliente, e quem pergunta não pode vê-lo.`;
  return { errorCategory: 'permission', isRetryable: false, message };
}

function tellOrder(order: Order): Readonly<Record<string, unknown>> {
  const cents = order.items.reduce((sum, { quantidade, precoCents }) => sum + quantidade * precoCents, 0);
  return {
    order_id: order.orderId,
    status: order.status,
    cliente: order.cliente,
    comprado_em: order.compradoEm,
    previsao_entrega: order.previsaoEntrega,
    valor_total: cents / 100,
    itens: order.items.map(({ sku, nome, quantidade, precoCents }) => ({
      sku,
      nome,
      quantidade,
      preco: precoCents / 100,
    })),
  };
}

function tellTracking(order: Order): Readonly<Record<string, unknown>> {
  return {
    order_id: order.orderId,
    status: order.status,
    transportadora: order.transportadora,
    previsao_entrega: order.previsaoEntrega,
    ultimo_evento: order.eventos.at(-1)?.descricao ?? null,
    eventos: order.eventos,
  };
}
