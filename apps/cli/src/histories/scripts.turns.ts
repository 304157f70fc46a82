import { type AgentConfig, agentDigest } from '@latch/contracts';
import { type HistoryScript, scripted, silent } from './history-script.ts';

/** The same agent after a rollout: another limit, and so another digest. */
function rolledOut({ digest: _old, ...agent }: AgentConfig): AgentConfig {
  const changed = { ...agent, confirmationTtlSeconds: agent.confirmationTtlSeconds + 60 };
  return { ...changed, digest: agentDigest(changed) };
}

/** Conversations in which something else happens than the next answer. */
export const turnScripts: readonly HistoryScript[] = [
  scripted({
    name: 'parked-and-resumed',
    title: 'Interrupted by another wish, and taken up again',
    covers: ['COMPLETED', 'park', 'resume', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) =>
      talk
        .says('quero devolver o pedido PED-1001')
        .says('quero rastrear o pedido PED-2002')
        .says('sim')
        .says('veio errado')
        .says('sim'),
  }),
  scripted({
    name: 'handed-off',
    title: 'Unclear so often that a person is offered',
    covers: ['hand-off', 'clarification', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => ['quero cancelar o pedido PED-1001', 'hmm', 'xyz', 'blá', 'qwe'].forEach((text) => talk.says(text)),
  }),
  scripted({
    name: 'stale-yes',
    title: 'A button of an older proposal is pressed',
    covers: ['stale yes', 'refusal', 'amend', 'pt-BR'],
    agent: 'telecom_contas',
    says: (talk) => {
      talk.says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr');
      const { transaction } = talk.state;
      const proposal_id = transaction?.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.proposalId : '';
      talk.says('só os dois primeiros').sends({ confirmation: 'yes', proposal_id }).says('sim');
    },
  }),
  scripted({
    name: 'yes-of-somebody-else',
    title: 'Another user of the same conversation says yes',
    covers: ['other user', 'refusal', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => talk.says('quero cancelar o pedido PED-1001').says('sim', { user_id: 'bruno' }).says('sim'),
  }),
  scripted({
    name: 'repeated-message',
    title: 'The same message comes twice, and a message while the tool runs',
    covers: ['conflict', 'repeat', 'busy', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001', { message_id: 'twice' });
      talk.says('quero cancelar o pedido PED-1002', { message_id: 'twice' });
      talk
        .says('sim')
        .says('e então?')
        .answers({ outcome: 'SUCCESS', data: { status: 'CANCELADO' } });
    },
  }),
  scripted({
    name: 'reopened-parameter',
    title: 'A tool refuses one value: exactly that one is asked for again',
    covers: ['COMPLETED', 'validation error', 'correction', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      const error = { errorCategory: 'validation', isRetryable: false, message: 'order_id: no such order' } as const;
      talk.answers({ ok: false, outcome: 'FAILED', error: { ...error, parameter: 'order_id' } });
      talk
        .says('PED-1003')
        .says('sim')
        .answers({ outcome: 'SUCCESS', data: { status: 'CANCELADO' } });
    },
  }),
  scripted({
    name: 'late-result',
    title: 'A result that nobody awaits any more',
    covers: ['late result', 'ignored', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      talk.answers({ outcome: 'SUCCESS' });
    },
  }),
  scripted({
    name: 'rollout',
    title: 'The configuration changes while a proposal waits, and again before the next transaction',
    covers: ['COMPLETED', 'several configurations', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001');
      const [first] = talk.configurations();
      if (first) talk.goesOnWith(rolledOut(first));
      talk.says('sim').says('quero rastrear o pedido PED-2002');
    },
  }),
  scripted({
    name: 'damaged-snapshot',
    title: 'The stored state cannot be read: answered, never silently restarted',
    covers: ['inconsistency', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) =>
      talk
        .says('quero cancelar pedido')
        .losesItsState()
        .says('PED-1001')
        .says('quero cancelar o pedido PED-1001')
        .says('sim'),
  }),
];
