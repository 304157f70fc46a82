import { describe, expect, it } from '@jest/globals';
import { publishedContracts, TurnExplanation } from '@latch/contracts';
import { explanationLines } from './explanation-lines.ts';

const published = publishedContracts.find(({ name }) => name === 'turn-explanation')?.examples.valid;
const filled = TurnExplanation.parse(published?.['a-parameter-is-filled']);
const called = TurnExplanation.parse(published?.['a-tool-was-called']);
const textOf = (turn: TurnExplanation): string => explanationLines(turn).join('\n');

describe('an explanation in the terminal', () => {
  it('answers one question after the other, aligned', () => {
    expect(textOf(filled)).toBe(`turn 5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6
  conversation  default:retail_orders:session-001
  message       msg-002
  said          user-001 in web at 2026-06-19T12:00:07.250Z: "o pedido é o PED-1001"

waiting for
  kind     parameters
  tool     retail_order_cancel
  missing  order_id

reading
  confirmation  unclear
  domain word   yes
  values        {"order_id":"PED-1001"}
  intent        rastrear_pedido (score 0.4, not clear); second: {"intent":"cancelar_pedido","score":0.4}

rules that matched
  extract.pattern  13-21  "PED-1001"

decision: fills_parameter -> collect_values
  state          COLLECTING_PARAMETERS
  means          A pending parameter is clearly filled, or a collected one corrected.
  why            order_id = "PED-1001". It is the first line of the table for COLLECTING_PARAMETERS that applies: line 1 of 10.
  configuration  2c26b46b68ff

could also have been
  domain_word  Line 9 comes after line 1, fills_parameter, which applies.

state
  before    COLLECTING_PARAMETERS  retail_order_cancel  {}                       missing order_id
  decided   AWAITING_CONFIRMATION  retail_order_cancel  {"order_id":"PED-1001"}
  answered  not yet

what followed
  5  12:00:07.250  IC.PARAMETERS_COLLECTED

answer
  not answered yet
`);
  });

  it('shows what was sent to a tool, what came back, and the words of the answer', () => {
    expect(textOf(called)).toContain(`tool calls
  execution  retail_order_cancel  {"order_id":"PED-1001"}  SUCCESS

answer
  at     2026-06-19T12:00:07.390Z
  slots  outcome
  text   Feito.
`);
  });

  it('counts the items of a call, and says why it failed', () => {
    const [call] = called.calls;
    const result = {
      tool_name: 'cancelar_vas_avulso',
      ok: false,
      data: null,
      latency_ms: 1,
      outcome: 'PARTIAL_SUCCESS' as const,
      items: [
        { id: 'a', label: 'A', outcome: 'succeeded' as const },
        { id: 'b', label: 'B', outcome: 'failed' as const },
      ],
      error: { errorCategory: 'business' as const, isRetryable: false, message: 'B is not yours' },
    };
    const failed = TurnExplanation.parse({ ...called, calls: [{ ...call, result }] });
    expect(textOf(failed)).toContain('PARTIAL_SUCCESS, 1 of 2 items succeeded, business: B is not yours');
  });

  it('says when a form counted instead of the text, and when the table has changed since', () => {
    const turn = {
      ...filled,
      said: { ...filled.said, inputs: { confirmation: 'yes' } },
      reading: { ...filled.reading, source: 'inputs' as const },
      decision: { ...filled.decision, is_reproduced: false },
    };
    const text = textOf(turn);
    expect(text).toContain('reading (the form counted, not the text)');
    expect(text).toContain('form          {"confirmation":"yes"}');
    expect(text).toContain('note           the table of this version gives another rule');
  });
});
