import { describe, expect, it } from '@jest/globals';
import { type z } from 'zod';
import { CallToolResult } from './tool-execution.ts';
import { ToolInvocation } from './tool-invocation.ts';
import { ToolResult } from './tool-result.ts';
import { PreValidationAnswer } from './transaction-decision.ts';

const guide = 'Multi-item developer guide';
const capability = 'Multi-item capability';
const subject = 'TIM Fashion Mensal, Aya Audiobooks Premium, Neymar Jr';

/** What a source calls `{tool_name, arguments}` is the part of a ToolInvocation that it shows. */
const ShownCall = ToolInvocation.pick({ tool_name: true, arguments: true });
const ShownSummary = ToolResult.pick({ multi_item_status: true, partial_success: true, metadata: true });

type Example = { readonly source: string; readonly schema: z.ZodType; readonly value: unknown };

const decisions: readonly Example[] = [
  {
    source: `${guide} section 3, partly eligible`,
    schema: PreValidationAnswer,
    value: {
      eligible: true,
      status: 'PARTIALLY_ELIGIBLE',
      transaction_decision: {
        resolved_arguments: {
          items: [
            { name: 'TIM Fashion Mensal', eligible: true },
            { name: 'Aya Audiobooks Premium', eligible: false, reason: 'item_nao_encontrado' },
            { name: 'Neymar Jr', eligible: true },
          ],
        },
      },
    },
  },
  {
    source: `${guide} section 8, validator answer`,
    schema: PreValidationAnswer,
    value: {
      eligible: true,
      transaction_decision: {
        resolved_arguments: {
          subject,
          items: [{ name: 'TIM Fashion Mensal' }, { name: 'Aya Audiobooks Premium' }, { name: 'Neymar Jr' }],
        },
      },
    },
  },
  {
    source: `${capability}, validator answer`,
    schema: PreValidationAnswer,
    value: {
      eligible: true,
      transaction_decision: {
        resolved_arguments: {
          items: [
            { name: 'Produto A', id: '1001' },
            { name: 'Produto B', id: '1002' },
            { name: 'Produto C', id: '1003' },
          ],
        },
        target_tool: 'cancelar_produtos',
        confirmation_message: 'Você confirma o cancelamento de Produto A, Produto B e Produto C?',
      },
    },
  },
];

const calls: readonly Example[] = [
  {
    source: `${guide} section 4, scalar argument`,
    schema: ShownCall,
    value: { tool_name: 'cancelar_vas_avulso', arguments: { subject } },
  },
  {
    source: `${guide} section 4, collection`,
    schema: ShownCall,
    value: {
      tool_name: 'cancelar_produtos',
      arguments: {
        items: [
          { name: 'A', id: '1001' },
          { name: 'B', id: '1002' },
        ],
      },
    },
  },
];

const vasResults = [
  { subject: 'TIM Fashion Mensal', success: true },
  { subject: 'Aya Audiobooks Premium', success: false, reason: 'not_found' },
  { subject: 'Neymar Jr', success: true },
];

/** What a tool answers is the structured content of its MCP result. */
const answers: readonly Example[] = [
  { source: `${guide} sections 5 and 8, results per item`, value: { results: vasResults } },
  { source: `${guide} section 7, an answer of a wrapper`, value: { approved: false, error: 'um item falhou' } },
  {
    source: `${guide} section 9, a batch API`,
    value: {
      results: [
        { order_id: 'P-100', success: true },
        { order_id: 'P-101', success: false, reason: 'already_shipped' },
        { order_id: 'P-102', success: true },
      ],
    },
  },
  {
    source: `${capability}, results per item`,
    value: {
      results: [
        { name: 'Produto A', success: true },
        { name: 'Produto B', success: false, error: 'not_found' },
        { name: 'Produto C', success: true },
      ],
    },
  },
].map(({ source, value }) => ({ source, schema: CallToolResult, value: { structuredContent: value } }));

/** The lesson's `tool_result` block is the model API's shape and none of ours: `libs/outcome` writes it, and its spec compares it. */
const results: readonly Example[] = [
  {
    source: `${guide} section 6, what the framework adds to a ToolResult`,
    schema: ShownSummary,
    value: {
      multi_item_status: 'PARTIAL_SUCCESS',
      partial_success: true,
      metadata: {
        multi_item: {
          status: 'PARTIAL_SUCCESS',
          items_count: 3,
          items_succeeded_count: 2,
          items_failed_count: 1,
          primary_tool: 'cancelar_vas_avulso',
        },
      },
    },
  },
  {
    source: 'Structured errors lesson, the MCP result with isError',
    schema: CallToolResult,
    value: {
      content: [
        {
          type: 'text',
          text: '{"errorCategory": "transient", "isRetryable": true, "message": "Upstream API timeout apos 10s"}',
        },
      ],
      isError: true,
    },
  },
];

describe('the examples of the source documents that show tools', () => {
  it.each([...decisions, ...calls, ...answers, ...results])(
    '$source parses and comes out unchanged',
    ({ schema, value }) => {
      expect(schema.parse(value)).toEqual(value);
    },
  );
});
