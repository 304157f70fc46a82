/** Where an order is in its life. */
export type OrderStatus = 'PAGO' | 'EM_SEPARACAO' | 'ENVIADO' | 'ENTREGUE' | 'CANCELADO' | 'EM_DEVOLUCAO';

/** One article of an order. */
export type OrderItem = {
  readonly sku: string;
  readonly nome: string;
  readonly quantidade: number;
  readonly precoCents: number;
};

/** One stop of a parcel. */
export type TrackingEvent = { readonly em: string; readonly local: string; readonly descricao: string };

/** An order. Persons, articles and prices are invented. */
export type Order = {
  readonly orderId: string;
  readonly customerId: string;
  readonly cliente: string;
  readonly status: OrderStatus;
  readonly compradoEm: string;
  readonly previsaoEntrega: string | null;
  readonly transportadora: string | null;
  readonly items: readonly OrderItem[];
  readonly eventos: readonly TrackingEvent[];
};

const marina = { customerId: 'CLI-501', cliente: 'Marina Alves Prado' };
const joao = { customerId: 'CLI-502', cliente: 'João Batista Queiroz' };

/** The orders as they are after each start. */
export const orders: readonly Order[] = [
  {
    ...marina,
    ...{
      orderId: 'PED-1001',
      status: 'EM_SEPARACAO',
      compradoEm: '2026-11-27',
      previsaoEntrega: '2026-12-04',
      transportadora: null,
    },
    items: [
      { sku: 'CAF-220', nome: 'Cafeteira italiana 6 xícaras', quantidade: 1, precoCents: 18990 },
      { sku: 'CAN-014', nome: 'Conjunto de canecas', quantidade: 1, precoCents: 7990 },
    ],
    eventos: [{ em: '2026-11-27T10:12:00-03:00', local: 'São Paulo/SP', descricao: 'Pagamento aprovado' }],
  },
  {
    ...marina,
    ...{
      orderId: 'PED-1002',
      status: 'ENVIADO',
      compradoEm: '2026-11-24',
      previsaoEntrega: '2026-12-01',
      transportadora: 'Rápido Sul',
    },
    items: [{ sku: 'FON-310', nome: 'Fone de ouvido sem fio', quantidade: 1, precoCents: 25990 }],
    eventos: [
      { em: '2026-11-24T18:40:00-03:00', local: 'Campinas/SP', descricao: 'Pedido enviado' },
      { em: '2026-11-28T07:05:00-03:00', local: 'Curitiba/PR', descricao: 'Em trânsito' },
    ],
  },
  {
    ...joao,
    ...{
      orderId: 'PED-1003',
      status: 'PAGO',
      compradoEm: '2026-11-29',
      previsaoEntrega: '2026-12-08',
      transportadora: null,
    },
    items: [{ sku: 'LIV-077', nome: 'Livro de receitas mineiras', quantidade: 2, precoCents: 5990 }],
    eventos: [{ em: '2026-11-29T21:30:00-03:00', local: 'São Paulo/SP', descricao: 'Pagamento aprovado' }],
  },
  {
    ...joao,
    ...{
      orderId: 'PED-1004',
      status: 'ENTREGUE',
      compradoEm: '2026-11-10',
      previsaoEntrega: null,
      transportadora: 'Rápido Sul',
    },
    items: [
      { sku: 'TEN-042', nome: 'Tênis de corrida 42', quantidade: 1, precoCents: 32990 },
      { sku: 'MEI-003', nome: 'Kit de meias', quantidade: 1, precoCents: 4990 },
    ],
    eventos: [{ em: '2026-11-18T14:22:00-03:00', local: 'Recife/PE', descricao: 'Entregue ao destinatário' }],
  },
  {
    ...marina,
    ...{
      orderId: 'PED-1005',
      status: 'CANCELADO',
      compradoEm: '2026-11-05',
      previsaoEntrega: null,
      transportadora: null,
    },
    items: [{ sku: 'LUM-118', nome: 'Luminária de mesa', quantidade: 1, precoCents: 14990 }],
    eventos: [{ em: '2026-11-06T09:00:00-03:00', local: 'São Paulo/SP', descricao: 'Pedido cancelado' }],
  },
];
