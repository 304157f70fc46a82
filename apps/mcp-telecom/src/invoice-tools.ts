import { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer } from '@latch/mcp-server';
import { z } from 'zod';
import { toReais } from './money.ts';
import { type Invoice, invoices, lines } from './telecom-data.ts';
import { type TelecomState } from './telecom-state.ts';

/** Reading of invoices. */
export function createInvoiceTools(state: TelecomState): DomainTool[] {
  return [
    defineTool({
      name: 'consultar_fatura',
      title: 'Consultar fatura',
      description: 'Consulta a fatura de uma linha, com os lançamentos. Sem invoice_id, a fatura em aberto.',
      input: z.object({
        msisdn: z.string().min(1).max(20).describe('Número da linha com DDD, só dígitos.'),
        invoice_id: z.string().min(1).max(40).optional(),
        ura_call_id: z.string().max(100).optional(),
        session_id: z.string().max(500).optional(),
      }),
      isReadOnly: true,
      handle: ({ arguments: { msisdn, invoice_id } }) => readInvoice(state, msisdn, invoice_id),
    }),
  ];
}

/** The sum of an invoice's lines, in cents. */
export function totalOf(invoice: Invoice): number {
  return invoice.lines.reduce((sum, { valorCents }) => sum + valorCents, 0);
}

function readInvoice(state: TelecomState, msisdn: string, invoiceId: string | undefined): ToolAnswer {
  const line = msisdn.replaceAll(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '');
  if (!lines.includes(line)) {
    return refuseWith({
      errorCategory: 'validation',
      isRetryable: false,
      message: `A linha ${msisdn} não existe.`,
      parameter: 'msisdn',
    });
  }
  const ofLine = invoices.filter((invoice) => invoice.msisdn === line);
  if (invoiceId !== undefined) {
    const invoice = ofLine.find((candidate) => candidate.invoiceId === invoiceId);
    if (invoice !== undefined) return answerWith(tell(state, invoice));
    return invoices.some((other) => other.invoiceId === invoiceId)
      ? foreignInvoice(invoiceId)
      : unknownInvoice(invoiceId, ofLine);
  }
  const open = ofLine.find(({ status }) => status === 'ABERTA');
  if (open !== undefined) return answerWith(tell(state, open));
  return answerWith({ results: [], count: 0, note: 'Não há fatura em aberto para esta linha.' });
}

/** No access is an error of its own: an empty list would be told as "you have no such invoice". */
function foreignInvoice(invoiceId: string): ToolAnswer {
  return refuseWith({
    errorCategory: 'permission',
    isRetryable: false,
    message: `A fatura ${invoiceId} é de outra linha, e quem pergunta não pode vê-la.`,
  });
}

function unknownInvoice(invoiceId: string, ofLine: readonly Invoice[]): ToolAnswer {
  return refuseWith({
    errorCategory: 'validation',
    isRetryable: false,
    message: `A fatura ${invoiceId} não existe para esta linha.`,
    parameter: 'invoice_id',
    alternatives: ofLine.map((invoice) => invoice.invoiceId),
  });
}

function tell(state: TelecomState, invoice: Invoice): Readonly<Record<string, unknown>> {
  return {
    invoice_id: invoice.invoiceId,
    valor_total: toReais(totalOf(invoice)),
    status: invoice.status,
    referencia: invoice.referencia,
    vencimento: invoice.vencimento,
    titular: invoice.titular,
    itens: invoice.lines.map(({ descricao, valorCents }) => ({
      descricao,
      valor: toReais(valorCents),
      ...(state.isDisputed(`${invoice.invoiceId}:${descricao}`) ? { em_contestacao: true } : {}),
    })),
  };
}
