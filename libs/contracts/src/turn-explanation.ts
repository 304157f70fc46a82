import { z } from 'zod';
import { TransactionStatus } from './agent-state.ts';
import { Instant } from './instant.ts';
import { InvocationPurpose } from './tool-invocation.ts';
import { ToolResult } from './tool-result.ts';

const OpenRecord = z.record(z.string(), z.unknown());

const ExplainedState = z.looseObject({
  status: TransactionStatus.describe(
    'State of the open transaction; of the one that ended in this turn; IDLE where nothing is open.',
  ),
  transaction_id: z.string().nullable().describe('That transaction; null where nothing is open.'),
  tool: z.string().nullable().describe('Its tool.'),
  arguments: OpenRecord.describe('Its arguments, as they would be, or were, sent.'),
  missing_parameters: z.array(z.string()).describe('Parameters that are still asked for, in order.'),
  proposal_id: z.string().nullable().describe('The proposal that waits for its yes; null where none does.'),
  parked_tools: z.array(z.string()).describe('Tools of the interrupted transactions, the last one first.'),
});

const said = z
  .looseObject({
    text: z.string().describe('What the user wrote.'),
    inputs: OpenRecord.nullable().describe('What a button or form sent; null where there was none.'),
    channel: z.string().describe('The channel.'),
    user_id: z.string().describe('Who spoke.'),
    at: Instant.describe('When it was taken up, by the clock of the database, UTC.'),
  })
  .describe('The message itself.');

const waitingFor = z
  .looseObject({
    kind: z
      .enum(['nothing', 'parameters', 'confirmation', 'busy'])
      .describe('What the message was expected to answer; `busy`: a tool was running.'),
    tool: z.string().nullable().describe('The tool that it was about.'),
    missing_parameters: z.array(z.string()).describe('Parameters that were asked for, the first one first.'),
    items: z.array(z.string()).describe('Labels of the items that were shown for confirmation.'),
  })
  .describe('What the conversation waited for when the message came.');

const reading = z
  .looseObject({
    source: z
      .enum(['text', 'inputs'])
      .describe('Where the message was taken from: where a button or form says anything, the text beside it does not count.'),
    confirmation: z.string().describe('How the text answers a yes/no question; `unclear` never executes.'),
    change: OpenRecord.nullable().describe('The change of the proposal that the text asks for.'),
    abandons: z.boolean().describe('Whether the text gives the open transaction up.'),
    values: OpenRecord.describe('Values for parameters of the expected tool.'),
    invalid: z.record(z.string(), z.string()).describe('Values that break their declaration: parameter to problem.'),
    corrects: z.boolean().describe('Whether the text says that an earlier value was wrong.'),
    intent: z
      .looseObject({
        intent: z.string().describe('Its name in routing.yaml.'),
        tool: z.string().nullable().describe('The tool that it starts.'),
        score: z.number().describe('From 0 to 1.'),
        is_clear: z.boolean().describe('Whether it is unequivocal: only then may it interrupt.'),
        values: OpenRecord.describe('Values that the same sentence gives for its tool.'),
        runner_up: OpenRecord.nullable().describe('The intent that came second, with its score.'),
      })
      .nullable()
      .describe('The intent that the text names; null where it names none.'),
    has_domain_word: z.boolean().describe('Whether the text holds a word of the domain, which alone never interrupts.'),
    retries_failed: z.boolean().describe('Whether the text asks to try the failed items again.'),
    resumes: z.boolean().describe('Whether the text takes up what was interrupted.'),
    rules: z
      .array(
        z.looseObject({
          rule: z.string().meta({ description: 'The rule that matched.', examples: ['yes-no.yes'] }),
          span: z
            .array(z.number().int())
            .nullable()
            .describe('Where, as UTF-16 offsets from and to (exclusive); null: the whole text.'),
          text: z.string().describe('The words that matched.'),
          runner_up: z.string().nullable().describe('The rule, or the intent, that came second.'),
        }),
      )
      .describe('Every rule that matched.'),
  })
  .describe('What was read in the message, as it was recorded with the turn. Nothing is read again.');

const decision = z
  .looseObject({
    status: z.string().meta({ description: 'The state in which the message was ranked.', examples: ['IDLE'] }),
    rule: z.string().meta({ description: 'The message class that won.', examples: ['fills_parameter'] }),
    action: z.string().nullable().meta({ description: 'What is done about it.', examples: ['collect_values'] }),
    intent: z.string().nullable().describe('The intent that the message names clearly.'),
    route: z.string().nullable().describe('Where routing.yaml sends it.'),
    config_digest: z.string().describe('The agent configuration that decided.'),
    is_reproduced: z
      .boolean()
      .describe('Whether the table of this version gives the same rule; false: the table has changed since the turn.'),
    classes: z
      .array(
        z.looseObject({
          message_class: z.string().describe('The class.'),
          meaning: z.string().describe('When a message is of it.'),
          line: z.number().int().nullable().describe('Its line in the table of that state, from 1; null: it has none.'),
          action: z.string().nullable().describe('What that line does.'),
          holds: z.boolean().describe('Whether the message is of this class.'),
          because: z.string().nullable().describe('What in the message made it so.'),
          verdict: z
            .enum(['won', 'lost', 'no_line', 'absent'])
            .describe('`lost`: an earlier line applies; `no_line`: this state does nothing about it; `absent`: not said.'),
          why: z.string().describe('The verdict in a sentence.'),
        }),
      )
      .describe('Every class that a message can be of: those with a line first, in the order of the table.'),
  })
  .describe('Which line of the precedence table won, and what lost.');

const events = z
  .array(
    z.looseObject({
      sequence: z.number().int().describe('Position in the conversation, from 1.'),
      event_type: z.string().meta({ description: 'As `/events` names it.', examples: ['IC.PARAMETERS_COLLECTED'] }),
      at: Instant.describe('When the input that caused it was taken up, UTC.'),
      payload: OpenRecord.describe('The stored fact.'),
    }),
  )
  .describe('The facts that followed: those of the decision, and those of the calls that it began.');

const state = z
  .looseObject({
    before: ExplainedState.describe('Before the message.'),
    decided: ExplainedState.describe('After the decision about the message.'),
    answered: ExplainedState.nullable().describe('When the turn was answered; null as long as it is not.'),
  })
  .describe('The state before and after.');

const calls = z
  .array(
    z.looseObject({
      invocation_id: z.string().describe('The call.'),
      purpose: InvocationPurpose.describe('What the call is for.'),
      tool: z.string().describe('The tool.'),
      arguments: OpenRecord.describe('What was sent.'),
      idempotency_key: z.string().nullable().describe('The key under which the effect happens once; null for a question.'),
      started_at: Instant.describe('When it was approved, UTC.'),
      received_at: Instant.nullable().describe('When its result came, UTC; null as long as it has not.'),
      result: ToolResult.nullable(),
    }),
  )
  .describe('Tool calls that the turn led to, and what came back.');

const reply = z
  .looseObject({
    answered_at: Instant.nullable().describe('When the turn was answered, UTC; null as long as it is not.'),
    slots: z.array(OpenRecord).describe('The facts that the answer says, in order, as they were recorded.'),
    text: z.string().nullish().describe('The words that were sent, where they are still stored.'),
  })
  .describe('The one answer of the turn.');

/**
 * Why a turn went as it did: what was said, how it was read, which rule won and what lost, what followed, and what was answered. Made of stored events only.
 *
 * @example { message_id: 'm-2', decision: { status: 'COLLECTING_PARAMETERS', rule: 'fills_parameter', action: 'collect_values', ... }, ... }
 * @see DESIGN section 4; seeds/002 section 6
 */
export const TurnExplanation = z
  .looseObject({
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['turn-explanation-v1'] }),
    conversation_key: z.string().min(1).describe('`tenant_id:agent_id:session_id`.'),
    turn_id: z.string().min(1).describe('The turn.'),
    message_id: z.string().min(1).describe('The message, as its channel names it.'),
    said,
    waiting_for: waitingFor,
    reading,
    decision,
    events,
    state,
    calls,
    reply,
  })
  .meta({
    description: 'Why a turn went as it did: what was said, how it was read, which rule won and what lost, what followed.',
    'x-source': 'DESIGN section 4; seeds/002 section 6',
  });
export type TurnExplanation = z.infer<typeof TurnExplanation>;
