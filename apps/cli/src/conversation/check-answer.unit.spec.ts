import { describe, expect, it } from '@jest/globals';
import { type ChannelResponse } from '@latch/contracts';
import { checkAnswer } from './check-answer.ts';

const answer = (more: Partial<ChannelResponse['metadata']> = {}, text = 'Cancelei o PED-1001.'): ChannelResponse => ({
  channel: 'web',
  session_id: 's',
  text,
  metadata: {
    tenant_id: 'default',
    agent_id: 'retail_orders',
    guardrails: [],
    judges: [],
    transaction_status: 'COMPLETED',
    ...more,
  },
});

describe('checking an answer', () => {
  it('finds nothing wrong with what was expected', () => {
    const items = [
      { id: '1', label: 'TIM Fashion', outcome: 'succeeded', protocol: 'P1' },
      { id: '2', label: 'Neymar Jr', outcome: 'failed' },
    ];
    const response = answer({ items, outcome: 'PARTIAL_SUCCESS' }, 'TIM Fashion: ok. Neymar Jr: não.');
    expect(
      checkAnswer(response, {
        status: 'COMPLETED',
        outcome: 'PARTIAL_SUCCESS',
        names: ['TIM Fashion', 'Neymar Jr'],
        items: [
          { label: 'TIM Fashion', outcome: 'succeeded' },
          { label: 'Neymar Jr', outcome: 'failed' },
        ],
      }),
    ).toEqual([]);
  });

  it('names every difference in status, intent, missing parameters, outcome and error', () => {
    const response = answer({ transaction_status: 'FAILED', missing_parameters: ['valor'], outcome: 'FAILED' });
    const problems = checkAnswer(response, {
      status: 'COMPLETED',
      intent: 'retail_order_cancel',
      outcome: 'SUCCESS',
      errorCategory: 'transient',
    });
    expect(problems).toEqual([
      'transaction_status is "FAILED", not "COMPLETED"',
      'intent is undefined, not "retail_order_cancel"',
      'missing_parameters is ["valor"], not []',
      'outcome is "FAILED", not "SUCCESS"',
      'error category is undefined, not "transient"',
    ]);
  });

  it('sees a name that is missing, a name that is said twice, and words that must not be there', () => {
    const problems = checkAnswer(answer({}, 'PED-1001, PED-1001: rastreamento'), {
      status: 'COMPLETED',
      names: ['PED-1001', 'PED-1002'],
      says: ['cancelado'],
      neverSays: ['rastreamento'],
    });
    expect(problems).toEqual([
      'the answer names "PED-1001" 2 times, not once',
      'the answer names "PED-1002" 0 times, not once',
      'the answer does not say "cancelado"',
      'the answer says "rastreamento"',
    ]);
  });

  it('sees an item with another outcome than expected', () => {
    const response = answer({ items: [{ id: '1', label: 'TIM Fashion', outcome: 'failed' }] });
    const problems = checkAnswer(response, {
      status: 'COMPLETED',
      items: [{ label: 'TIM Fashion', outcome: 'succeeded' }],
    });
    expect(problems).toHaveLength(1);
  });
});
