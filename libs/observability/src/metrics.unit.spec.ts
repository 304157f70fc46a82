import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

const metrics = () => createMetrics({ service: 'ingress', version: '1.2.3' });

describe('the metrics of a service', () => {
  it('say what runs here from the start', async () => {
    const text = await metrics().render();
    expect(text).toMatch(/^latch_build_info\{version="1\.2\.3",node="v[\d.]+",service="ingress"\} 1$/m);
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('show only what the service has measured', async () => {
    const text = await metrics().render();
    expect(text.match(/latch_\w+/g)?.every((name) => name === 'latch_build_info')).toBe(true);
  });

  it('carry the published names and labels', async () => {
    const all = metrics();
    all.turns.inc({ agent: 'a', channel: 'web', outcome: 'answered' });
    all.turnDuration.observe({}, 0.2);
    all.transactions.inc({ tool: 't', outcome: 'COMPLETED' });
    all.transactionsActive.set({ status: 'EXECUTING' }, 2);
    all.confirmations.inc({ decision: 'yes' });
    all.toolCalls.inc({ server: 's', tool: 't', outcome: 'SUCCESS', error_category: 'none' });
    all.toolCallDuration.observe({}, 1);
    all.items.inc({ tool: 't', result: 'succeeded' }, 3);
    all.outcomeUnknown.inc({ tool: 't' });
    all.circuitState.set({ server: 's' }, 2);
    all.outboxPending.set({}, 4);
    all.outboxOldestAge.set({}, 5);
    all.consumerLag.set({ group: 'g', topic: 'latch.turns.v1' }, 6);
    all.deadLetters.inc({ topic: 'latch.turns.v1' });
    all.foldMismatch.inc({});
    const text = await all.render();
    for (const line of [
      'latch_turns_total{agent="a",channel="web",outcome="answered",service="ingress"} 1',
      'latch_turn_duration_seconds_count{service="ingress"} 1',
      'latch_transactions_total{tool="t",outcome="COMPLETED",service="ingress"} 1',
      'latch_transactions_active{status="EXECUTING",service="ingress"} 2',
      'latch_confirmations_total{decision="yes",service="ingress"} 1',
      'latch_tool_calls_total{server="s",tool="t",outcome="SUCCESS",error_category="none",service="ingress"} 1',
      'latch_tool_call_duration_seconds_count{service="ingress"} 1',
      'latch_items_total{tool="t",result="succeeded",service="ingress"} 3',
      'latch_outcome_unknown{tool="t",service="ingress"} 1',
      'latch_circuit_state{server="s",service="ingress"} 2',
      'latch_outbox_pending{service="ingress"} 4',
      'latch_outbox_oldest_age_seconds{service="ingress"} 5',
      'latch_consumer_lag{group="g",topic="latch.turns.v1",service="ingress"} 6',
      'latch_dead_letters_total{topic="latch.turns.v1",service="ingress"} 1',
      'latch_fold_mismatch_total{service="ingress"} 1',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('tell calls with an unknown outcome as a counter, which is all that a service can say of them', async () => {
    const all = metrics();
    all.outcomeUnknown.inc({ tool: 't' });
    expect(await all.render()).toContain('# TYPE latch_outcome_unknown counter');
  });

  it('count a label value as "other" when a label has a hundred values already', async () => {
    const all = metrics();
    for (let channel = 0; channel < 1_000; channel += 1) {
      all.turns.inc({ agent: 'a', channel: `channel-${channel}`, outcome: 'answered' });
    }
    const text = await all.render();
    expect(text.match(/^latch_turns_total\{/gm)).toHaveLength(101);
    expect(text).toContain('channel="other",outcome="answered",service="ingress"} 900');
  });

  it('count an endless label value as "other"', async () => {
    const all = metrics();
    all.deadLetters.inc({ topic: 'x'.repeat(10_000) });
    expect(await all.render()).toContain('latch_dead_letters_total{topic="other",service="ingress"} 1');
  });

  it('of two services in one process do not mix', async () => {
    const [one, two] = [metrics(), createMetrics({ service: 'orchestrator', version: '1.2.3' })];
    one.foldMismatch.inc({});
    expect(await two.render()).not.toContain('latch_fold_mismatch_total');
  });
});
