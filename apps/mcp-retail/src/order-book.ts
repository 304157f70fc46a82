import { deterministicId, type StructuredError } from '@latch/contracts';
import { type Order, orders, type OrderStatus } from './orders.ts';

/** The orders, with what calls have changed since the start or the last reset. */
export class OrderBook {
  private changed = new Map<string, OrderStatus>();

  /** An order by its number, in any case and with blanks around; null when there is none. */
  find(orderId: string): Order | null {
    const wanted = orderId.trim().toUpperCase();
    const order = orders.find((candidate) => candidate.orderId === wanted);
    return order === undefined ? null : { ...order, status: this.changed.get(wanted) ?? order.status };
  }

  /** Moves an order on. */
  setStatus(orderId: string, status: OrderStatus): void {
    this.changed.set(orderId, status);
  }

  /** Back to the first state. */
  reset(): void {
    this.changed = new Map();
  }
}

/** The error for a number that no order has: the caller can correct exactly that argument. */
export function unknownOrder(orderId: string): StructuredError {
  return {
    errorCategory: 'validation',
    isRetryable: false,
    message: `O pedido ${orderId} não existe. Confira o número.`,
    parameter: 'order_id',
  };
}

/** A receipt number that is the same for the same operation and item. */
export function protocolOf(prefix: string, key: string | null, item: string): string {
  const id = deterministicId(prefix, key ?? `${Date.now()}:${Math.random()}`, item);
  return `${prefix}-${id.slice(0, 8).toUpperCase()}`;
}
