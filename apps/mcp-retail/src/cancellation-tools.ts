import { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer } from '@latch/mcp-server';
import { z } from 'zod';
import { type OrderBook, protocolOf, unknownOrder } from './order-book.ts';
import { OrderId } from './order-tools.ts';
import { type OrderStatus } from './orders.ts';

/** Cancellation of an order that has not been sent yet. */
export function createCancellationTools(book: OrderBook): DomainTool[] {
  const input = z.object({ order_id: OrderId });
  return [
    defineTool({
      name: 'validar_cancelamento_pedido',
      title: 'Validar cancelamento',
      description: 'Diz se um pedido ainda pode ser cancelado. Sem efeito.',
      input,
      output: z.looseObject({ eligible: z.boolean() }),
      isReadOnly: true,
      handle: ({ arguments: { order_id } }) => tellEligibility(book, order_id),
    }),
    defineTool({
      name: 'retail_order_cancel',
      title: 'Cancelar pedido',
      description: 'Cancela um pedido que ainda não foi enviado.',
      input,
      output: z.looseObject({ order_id: z.string(), status: z.string(), protocol: z.string() }),
      isReadOnly: false,
      handle: (call) => cancelOrder(book, call.arguments.order_id, call.idempotencyKey),
    }),
  ];
}

function tellEligibility(book: OrderBook, orderId: string): ToolAnswer {
  const order = book.find(orderId);
  if (order === null) return refuseWith(unknownOrder(orderId));
  const obstacle = obstacleOf(order.status);
  if (obstacle !== null) {
    const reason = `O pedido ${order.orderId} ${obstacle.why} e não pode mais ser cancelado.`;
    return answerWith({
      eligible: false,
      status: 'NOT_ELIGIBLE',
      order_id: order.orderId,
      reason,
      code: obstacle.code,
    });
  }
  return answerWith({
    eligible: true,
    transaction_decision: {
      resolved_arguments: { order_id: order.orderId },
      target_tool: 'retail_order_cancel',
      confirmation_message: `Você confirma o cancelamento do pedido ${order.orderId}?`,
    },
  });
}

function cancelOrder(book: OrderBook, orderId: string, key: string | null): ToolAnswer {
  const order = book.find(orderId);
  if (order === null) return refuseWith(unknownOrder(orderId));
  const obstacle = obstacleOf(order.status);
  if (obstacle !== null) {
    const message = `O pedido ${order.orderId} ${obstacle.why} e não pode mais ser cancelado.`;
    return refuseWith({ errorCategory: 'business', isRetryable: false, message, reason: obstacle.code });
  }
  book.setStatus(order.orderId, 'CANCELADO');
  const protocol = protocolOf('CAN', key, order.orderId);
  return answerWith({ order_id: order.orderId, status: 'CANCELADO', protocol }, 1);
}

function obstacleOf(status: OrderStatus): { readonly code: string; readonly why: string } | null {
  switch (status) {
    case 'PAGO':
    case 'EM_SEPARACAO':
      return null;
    case 'ENVIADO':
      return { code: 'already_shipped', why: 'já foi enviado' };
    case 'ENTREGUE':
      return { code: 'already_delivered', why: 'já foi entregue' };
    case 'CANCELADO':
      return { code: 'already_cancelled', why: 'já está cancelado' };
    case 'EM_DEVOLUCAO':
      return { code: 'in_return', why: 'já está em devolução' };
    default:
      return status satisfies never;
  }
}
