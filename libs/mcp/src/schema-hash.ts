import { digest } from '@latch/contracts';
import { type ListedTool } from './listed-tool.ts';

/**
 * The hash by which a tool is pinned: digest of its input and output schema. Words that people read (title, description, annotations) are not in it, so that
 * a better sentence stops no call; what may be sent and what comes back is.
 */
export function schemaHash(tool: Pick<ListedTool, 'inputSchema' | 'outputSchema'>): string {
  return digest({ input: tool.inputSchema, output: tool.outputSchema });
}
