import { type AgentConfig, type ToolInvocation } from '@latch/contracts';
import { effectiveAgent } from '@latch/orchestrator/engine';
import { type HistoryScript, scripted, silent, told } from './history-script.ts';
import { type PlayedConversation } from './played-conversation.ts';

/** The agent as it is once this schema of each of its tools is accepted. */
function pinnedTo(agent: AgentConfig, hash: string): AgentConfig {
  const schemas = Object.values(agent.tools).map(({ server, name }) => ({ server, tool: name, hash }));
  return effectiveAgent(agent, schemas);
}

function acceptsSchemas(talk: PlayedConversation, hash: string): void {
  const [files] = talk.configurations();
  if (files) talk.goesOnWith(pinnedTo(files, hash));
}

const schemaChanged = {
  errorCategory: 'validation',
  isRetryable: false,
  code: 'tool.schema_changed',
  message: 'The tool is not what was approved.',
} as const;

const inputRequired = { errorCategory: 'validation', isRetryable: false, code: 'tool.input_required' } as const;

/** Some succeed; of the one that is named nobody knows. */
function foundBut(unknown: string, call: ToolInvocation | undefined): ReturnType<typeof told> {
  const { items = [] } = call === undefined ? {} : told(call, []);
  const found = items.map((item) =>
    item.id === unknown ? { id: item.id, label: item.label, outcome: 'unknown' as const, reason: 'no_evidence' } : item,
  );
  return { ok: true, outcome: 'PARTIAL_SUCCESS', partial_success: true, items: found };
}

/** Conversations in which the tool is something else than was thought, or more than one call. */
export const toolScripts: readonly HistoryScript[] = [
  scripted({
    name: 'schema-changed',
    title: 'The tool has changed since the yes: nothing is sent, asked again under the new schema, confirmed, done',
    covers: ['COMPLETED', 'schema changed', 'several configurations', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      acceptsSchemas(talk, 'schema-1');
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      acceptsSchemas(talk, 'schema-2');
      talk
        .answers({ ok: false, outcome: 'FAILED', error: schemaChanged })
        .says('sim')
        .answers({ outcome: 'SUCCESS', data: { status: 'CANCELADO' } });
    },
  }),
  scripted({
    name: 'schema-changed-in-vain',
    title: 'The tool changes with every yes: after so many rounds it is told, and a person is offered',
    covers: ['FAILED', 'schema changed', 'several configurations', 'hand-off', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      acceptsSchemas(talk, 'schema-1');
      talk.says('quero cancelar o pedido PED-1001');
      for (let round = 2; talk.state.transaction?.status === 'AWAITING_CONFIRMATION'; round += 1) {
        talk.says('sim');
        acceptsSchemas(talk, `schema-${round}`);
        talk.answers({ ok: false, outcome: 'FAILED', error: schemaChanged });
      }
    },
  }),
  scripted({
    name: 'tool-asks-for-input',
    title: 'The server asks for a value in the middle of a call: exactly that one is asked for, shown and done',
    covers: ['COMPLETED', 'input required', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero devolver o pedido PED-1001').says('veio errado').says('sim');
      const error = { ...inputRequired, message: 'Why is it returned?', missing: ['reason'] };
      talk
        .answers({ ok: false, outcome: 'FAILED', error })
        .says('a caixa chegou aberta')
        .says('sim')
        .answers({ outcome: 'SUCCESS', data: { status: 'ABERTA' } });
    },
  }),
  scripted({
    name: 'tool-asks-for-what-nobody-declared',
    title: 'The server asks for something that the tool does not declare: said, and handed to a person',
    covers: ['FAILED', 'input required', 'hand-off', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      const error = { ...inputRequired, message: 'Which seat?', missing: ['seat'] };
      talk.answers({ ok: false, outcome: 'FAILED', error });
    },
  }),
  scripted({
    name: 'workflow-partial',
    title: 'Three orders as a workflow: one is not cancelled, and a later step fails without erasing the others',
    covers: ['COMPLETED', 'workflow', 'multi-item', 'partial', 'secondary error', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar vários pedidos').says('PED-1001, PED-1002 e PED-1003').says('sim');
      const secondary_error = { errorCategory: 'transient', isRetryable: true, message: 'Not looked at.' } as const;
      const [call] = talk.calls.slice(-1);
      if (call) talk.answers({ ...told(call, ['PED-1002']), secondary_error });
    },
  }),
  scripted({
    name: 'workflow-reconciled-by-item',
    title: 'No answer in time; asked item by item, two are found and told, and the third at the next look',
    covers: ['COMPLETED', 'OUTCOME_UNKNOWN', 'workflow', 'multi-item', 'reconcile', 'reconcile by item', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar vários pedidos').says('PED-1001, PED-1002 e PED-1003').says('sim');
      talk.answers({ ok: false, outcome: 'UNKNOWN' }).waits(40);
      talk
        .answers(foundBut('PED-1002', talk.calls.at(-1)))
        .says('e aí?')
        .waits(600);
      const [question] = talk.calls.slice(-1);
      if (question) talk.answers(told(question, [])).says('e agora?');
    },
  }),
];
