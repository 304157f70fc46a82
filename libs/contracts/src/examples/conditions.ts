import { type z } from 'zod';
import { type Alarm } from '../alarm.ts';
import { type DeadLetterRedrive } from '../dead-letter-redrive.ts';
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

const redrive: z.input<typeof DeadLetterRedrive> = {
  letter: { event_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', partition: 2, offset: '17' },
  source: { topic: 'latch.turns.v1', partition: 0, offset: '42' },
  step: 'sent',
  by: 'ana',
  run_id: '0190f5ee-0000-7000-8000-000000000001',
  at: '2026-06-19T12:00:00Z',
  contract_version: 'dead-letter-redrive-v1',
};

export const deadLetterRedriveExamples: Of<typeof DeadLetterRedrive> = {
  valid: { sent: redrive, begun: { ...redrive, step: 'begun' }, refused: { ...redrive, step: 'refused' } },
  invalid: {
    'nobody-sent-it': { ...redrive, by: '' },
    'without-letter': { ...redrive, letter: undefined },
    'unknown-step': { ...redrive, step: 'lost' },
  },
};
