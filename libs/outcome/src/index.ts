export { aggregateItems } from './aggregate-items.ts';
export { classifyError } from './classify-error.ts';
export {
  type ClaudeToolResult,
  type McpToolResult,
  type OpenAiToolMessage,
  toClaudeToolResult,
  toMcpCallToolResult,
  toOpenAiToolMessage,
} from './emit-tool-result.ts';
export { isMutating } from './may-have-happened.ts';
export { readToolResult } from './read-tool-result.ts';
export { scrub } from './scrub.ts';
export { shortenedResults } from './shortened-results.ts';
