import { type DomainTool, reconcileTool } from '@latch/mcp-server';

/** The read-only tool that tells what became of an operation whose answer was lost. */
export function createProtocolTool(): DomainTool {
  return reconcileTool({
    name: 'consultar_protocolo',
    title: 'Consultar protocolo',
    description: 'Diz o que foi feito de uma operação, pela chave de idempotência. Sem efeito.',
  });
}
