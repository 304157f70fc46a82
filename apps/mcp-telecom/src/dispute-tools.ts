import { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer, type ToolCall } from '@latch/mcp-server';
import { z } from 'zod';
import { protocolOf } from './cancel-services.ts';
import { readCents, toReais, writeReais } from './money.ts';
import { resolveName } from './resolve-services.ts';
import { invoices } from './telecom-data.ts';
import { type TelecomState } from './telecom-state.ts';

const Dispute = z.object({
  subject: z.string().min(1).max(200).describe('Serviço ou lançamento da fatura.'),
  valor: z.union([z.number(), z.string().max(40)]).describe('Valor cobrado, em reais.'),
});
type Dispute = z.output<typeof Dispute>;

/** Dispute of a charge, with its value: both are checked against the open invoice of the sample line. */
export function createDisputeTools(state: TelecomState): DomainTool[] {
  return [
    defineTool({
      name: 'validar_contestacao',
      title: 'Validar contestação',
      description: 'Confere se a cobrança existe na fatura com o valor informado. Sem efeito.',
      input: Dispute,
      output: z.looseObject({ eligible: z.boolean() }),
      isReadOnly: true,
      handle: ({ arguments: dispute }) => answerWith(tellEligibility(state, dispute)),
    }),
    defineTool({
      name: 'contestar_cobranca',
      title: 'Contestar cobrança',
      description: 'Abre a contestação de uma cobrança da fatura e devolve o protocolo.',
      input: Dispute,
      output: z.looseObject({ protocol: z.string(), status: z.string() }),
      isReadOnly: false,
      handle: (call) => openDispute(state, call),
    }),
  ];
}

type Checked =
  | { readonly ok: true; readonly charge: string; readonly subject: string; readonly cents: number }
  | { readonly ok: false; readonly reason: string; readonly message: string };

function checkDispute(state: TelecomState, { subject, valor }: Dispute): Checked {
  const invoice = invoices.find(({ status }) => status === 'ABERTA');
  const resolved = resolveName(subject);
  const name = resolved.kind === 'found' ? resolved.service.name : subject.trim();
  const line = invoice?.lines.find(({ descricao }) => descricao.toLowerCase() === name.toLowerCase());
  if (invoice === undefined || line === undefined) {
    return {
      ok: false,
      reason: 'cobranca_nao_encontrada',
      message: `Não há cobrança de ${subject} na fatura em aberto.`,
    };
  }
  const { descricao, valorCents } = line;
  if (readCents(valor) !== valorCents) {
    const message = `Na fatura, ${descricao} aparece com o valor de ${writeReais(valorCents)}.`;
    return { ok: false, reason: 'valor_divergente', message };
  }
  const charge = `${invoice.invoiceId}:${descricao}`;
  if (state.isDisputed(charge)) {
    return { ok: false, reason: 'ja_contestada', message: `A cobrança de ${descricao} já está em contestação.` };
  }
  return { ok: true, charge, subject: descricao, cents: valorCents };
}

function tellEligibility(state: TelecomState, dispute: Dispute): Readonly<Record<string, unknown>> {
  const checked = checkDispute(state, dispute);
  if (!checked.ok) return { eligible: false, status: 'NOT_ELIGIBLE', reason: checked.message, code: checked.reason };
  const { subject, cents } = checked;
  return {
    eligible: true,
    transaction_decision: {
      resolved_arguments: { subject, valor: toReais(cents) },
      target_tool: 'contestar_cobranca',
      confirmation_message: `Você confirma a contestação de ${subject} no valor de ${writeReais(cents)}?`,
    },
  };
}

function openDispute(state: TelecomState, call: ToolCall<Dispute>): ToolAnswer {
  const checked = checkDispute(state, call.arguments);
  if (!checked.ok) {
    return refuseWith({
      errorCategory: 'business',
      isRetryable: false,
      message: checked.message,
      reason: checked.reason,
    });
  }
  state.dispute(checked.charge);
  const { subject, cents, charge } = checked;
  const protocol = protocolOf('CTT', call.idempotencyKey, charge);
  return answerWith({ subject, valor: toReais(cents), status: 'EM_ANALISE', protocol, prazo_dias: 10 }, 1);
}
