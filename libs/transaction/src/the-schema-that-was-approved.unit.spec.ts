import { describe, expect, it } from '@jest/globals';
import { type AgentConfig } from '@latch/contracts';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation, failureOf, kinds, newConversation, slot, wants, yes } from './fixtures/conversation.ts';
import { fold, redecide } from './replay.ts';

const order = parameter('order_id', { pattern: '^PED-[0-9]{4,}$' });

/** The agent as it is once the executor has accepted a schema of its tools. */
function pinned(hash: string, more: Partial<AgentConfig['tools'][string]> = {}): AgentConfig {
  return agentWith({
    maxClarifications: 2,
    tools: {
      cancelar: tool('cancelar', [order], { schemaHash: hash, ...more }),
      renomear: tool('renomear', [parameter('apelido')], { requiresConfirmation: false, schemaHash: hash }),
    },
    intents: ['cancelar', 'renomear'].map((intent) => {
      return { intent, route: 'retail', tool: intent, keywords: [], examples: [], reply: null };
    }),
  });
}

const changed = failureOf('validation', { code: 'tool.schema_changed' });

/** A cancellation that was confirmed under the first schema. */
function confirmed(): Conversation {
  const talk = new Conversation(pinned('schema-1'));
  talk.says(wants('cancelar', { order_id: 'PED-1001' }));
  talk.says(yes);
  return talk;
}

describe('the schema of a tool', () => {
  it('is part of what a yes approves, and travels with the call', () => {
    const talk = confirmed();
    expect(talk.lastReaction?.invocations).toMatchObject([{ tool_schema_hash: 'schema-1', channel: 'web' }]);
    const [asked] = talk.events.flatMap((event) => (event.type === 'ConfirmationRequested' ? [event.proposal] : []));
    expect(asked?.toolSchemaHash).toBe('schema-1');
  });

  it('makes another proposal of the same arguments', () => {
    const shown = ['schema-1', 'schema-2'].map((hash) => {
      const talk = new Conversation(pinned(hash));
      talk.says(wants('cancelar', { order_id: 'PED-1001' }));
      return talk.proposalId();
    });
    expect(new Set(shown).size).toBe(2);
  });

  it('is not told where none is pinned', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([{ tool_schema_hash: null }]);
    expect(talk.executions()[0]?.call).not.toHaveProperty('toolSchemaHash');
  });
});

describe('executing a call whose schema has changed since its yes', () => {
  it('asks once more under the current configuration, as a new revision with its own key', () => {
    const talk = confirmed();
    talk.rollOut(pinned('schema-2'));
    expect(slot(talk.answers(changed), 'ask_confirmation').why).toBe('renewed');
    talk.says(yes);
    const [first, second] = talk.executions().map(({ call }) => call);
    expect(second).toMatchObject({ rev: 2, toolSchemaHash: 'schema-2', arguments: { order_id: 'PED-1001' } });
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    talk.answers({ outcome: 'SUCCESS' });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', rev: 2 });
  });

  it('runs nothing by the yes that was given before', () => {
    const talk = confirmed();
    const old = talk.executions()[0]?.confirmation?.proposalId;
    talk.rollOut(pinned('schema-2'));
    talk.answers(changed);
    talk.says({ turn: { inputs: { confirmation: 'yes', proposal_id: old } } });
    expect(talk.executions()).toHaveLength(1);
    expect(talk.facts()).toEqual(['AnswerRefused']);
  });

  it('asks for what the tool needs now, and keeps what it has', () => {
    const talk = confirmed();
    const more = { requires: ['order_id', 'motivo'], parameters: { order_id: order, motivo: parameter('motivo') } };
    talk.rollOut(pinned('schema-2', more));
    expect(slot(talk.answers(changed), 'ask_parameter').parameter.name).toBe('motivo');
    expect(talk.state.transaction?.arguments).toEqual({ order_id: 'PED-1001' });
  });

  it('goes on by itself where no confirmation is asked for', () => {
    const talk = new Conversation(pinned('schema-1'));
    talk.says(wants('renomear', { apelido: 'casa' }));
    talk.rollOut(pinned('schema-2'));
    talk.answers(changed);
    expect(talk.lastReaction?.invocations).toMatchObject([{ rev: 2, tool_schema_hash: 'schema-2' }]);
    talk.answers({ outcome: 'SUCCESS' });
    expect(talk.lastReaction?.replies).toMatchObject([{ turnId: 'turn-1' }]);
  });

  it('is told as failed after as many rounds as there are clarifications, and a person is offered', () => {
    const talk = confirmed();
    expect(kinds(talk.answers(changed))).toEqual(['ask_confirmation']);
    talk.says(yes);
    expect(kinds(talk.answers(changed))).toEqual(['ask_confirmation']);
    talk.says(yes);
    expect(kinds(talk.answers(changed))).toEqual(['outcome', 'handoff']);
    expect(talk.state.last).toMatchObject({ status: 'FAILED', error: { code: 'tool.schema_changed' } });
    expect(talk.events.filter(({ type }) => type === 'HandedOff')).toMatchObject([{ reason: 'schema_changed' }]);
  });

  it('starts nothing with a tool that is not offered any more', () => {
    const talk = confirmed();
    talk.rollOut(pinned('schema-2', { enabled: false }));
    expect(kinds(talk.answers(changed))).toEqual(['outcome', 'handoff']);
  });

  it('is decided again byte for byte, each decision with its own configuration', () => {
    const talk = confirmed();
    talk.rollOut(pinned('schema-2'));
    talk.answers(changed);
    talk.says(yes);
    talk.answers(changed);
    talk.says(yes);
    talk.answers(changed);
    expect(fold(newConversation(), talk.events)).toEqual(talk.state);
    expect(redecide(newConversation(), talk.events, (digest) => talk.agentOf(digest))).toBeNull();
  });
});
