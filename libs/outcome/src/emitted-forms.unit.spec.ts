import { describe, expect, it } from '@jest/globals';
import { ToolResult } from '@latch/contracts';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { sketch } from './any-execution.features.ts';
import { toClaudeToolResult, toMcpCallToolResult, toOpenAiToolMessage } from './emit-tool-result.ts';
import { readToolResult } from './read-tool-result.ts';

const runs = { numRuns: 500 };
const anyResult = sketch.map((execution) => readToolResult(execution));

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return { ...value };
}

describe('whatever came back, what is emitted', () => {
  it('is the canonical ToolResult of the contract', () => {
    fc.assert(
      fc.property(anyResult, (result) => expect(ToolResult.safeParse(result).success).toBe(true)),
      runs,
    );
  });

  it('is a CallToolResult of the MCP SDK, whose text says the same as its structured content', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const emitted = toMcpCallToolResult(result);
        const read = CallToolResultSchema.parse(JSON.parse(JSON.stringify(emitted)));
        expect(read.isError ?? false).toBe(!result.ok);
        expect(parsed(emitted.content[0].text)).toEqual(JSON.parse(JSON.stringify(emitted.structuredContent)));
      }),
      runs,
    );
  });

  it('is a tool_result block of the Claude API: these keys, is_error only as true', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const block = toClaudeToolResult(result, 'toolu_01');
        const keys = ['content', ...(result.ok ? [] : ['is_error']), 'tool_use_id', 'type'];
        expect(Object.keys(block).sort()).toEqual(keys);
        expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_01', content: expect.any(String) });
        if (!result.ok) expect(block.is_error).toBe(true);
        parsed(block.content);
      }),
      runs,
    );
  });

  it('is a tool message of the OpenAI API: these keys, and the content says whether it is ok', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const message = toOpenAiToolMessage(result, 'call_1');
        expect(Object.keys(message).sort()).toEqual(['content', 'role', 'tool_call_id']);
        expect(message).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
        expect(parsed(message.content)['ok']).toBe(result.ok);
      }),
      runs,
    );
  });

  it('never says less than the result: an unknown outcome is unknown in every form', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        if (result.outcome !== 'UNKNOWN') return;
        const forms = [
          JSON.stringify(toMcpCallToolResult(result)),
          toClaudeToolResult(result, 't').content,
          toOpenAiToolMessage(result, 'c').content,
        ];
        for (const form of forms) expect(form).toMatch(/UNKNOWN|unknown/);
      }),
      runs,
    );
  });
});
