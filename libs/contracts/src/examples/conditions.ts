import { type z } from 'zod';
import { type Alarm } from '../alarm.ts';
import { type PreValidationAnswer } from '../transaction-decision.ts';
import { type ContractExamples } from './contract-examples.ts';

type Of<T extends z.ZodType> = ContractExamples<z.input<T>>;

const raised: z.input<typeof Alarm> = {
  alarm_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
  perceived_severity: 'major',
  probable_cause: 'underlying_resource_unavailable',
  specific_problem: 'the MCP server retail is not called until it answers again',
  raised_at: '2026-06-19T12:00:00Z',
  cleared_at: null,
};

export const alarmExamples: Of<typeof Alarm> = {
  valid: {
    raised,
    cleared: { ...raised, perceived_severity: 'cleared', cleared_at: '2026-06-19T12:05:00Z' },
  },
  invalid: {
    'unknown-severity': { ...raised, perceived_severity: 'terrible' },
    'without-id': { ...raised, alarm_id: undefined },
  },
};

export const preValidationAnswerExamples: Of<typeof PreValidationAnswer> = {
  valid: {
    eligible: {
      eligible: true,
      transaction_decision: {
        target_tool: 'cancelar_vas_avulso',
        resolved_arguments: { vas_ids: ['tim-fashion-mensal'] },
        confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal?',
      },
    },
    'not-eligible': { eligible: false, reason: 'O pedido já foi entregue.' },
  },
  invalid: { 'without-decision': { reason: 'ok' }, 'eligible-as-text': { eligible: 'true' } },
};
