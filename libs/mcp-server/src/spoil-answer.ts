import { type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Fault } from './faults.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Tells of what the tool did in a way that departs from the contract of `results`. An answer without results is left as it is. */
export function spoilAnswer(answer: CallToolResult, fault: Fault): CallToolResult {
  const content = answer.structuredContent;
  const results = content?.['results'];
  if (!Array.isArray(results)) return answer;
  const structuredContent = { ...content, ...spoils[fault.kind]?.(results.filter(isEntry)) };
  return { ...answer, content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

const spoils: Partial<Record<Fault['kind'], (results: readonly Entry[]) => Entry>> = {
  results_duplicated: (results) => ({ results: [...results, ...results.slice(0, 1)] }),
  results_missing: (results) => ({ results: results.slice(0, -1) }),
  results_extra: (results) => ({
    results: [...results, { id: 'not-asked-for', name: 'not-asked-for', success: true }],
  }),
  results_reordered: (results) => ({ results: [...results].reverse() }),
  results_text_booleans: (results) => ({
    results: results.map((entry) => ({ ...entry, success: String(entry['success']) })),
  }),
  results_contradict: (results) => ({ results: results.map((entry) => ({ ...entry, ok: entry['success'] !== true })) }),
  results_nested: (results) => ({ results: undefined, data: { response: { results } } }),
  results_single: (results) => ({ results: results[0] }),
};

function isEntry(entry: unknown): entry is Entry {
  return typeof entry === 'object' && entry !== null;
}
