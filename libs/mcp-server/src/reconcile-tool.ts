import { z } from 'zod';
import { answerWith, defineTool, type DomainTool, refuseWith, type ToolCall } from './domain-tool.ts';

/**
 * A read-only tool that tells, by idempotency key, what became of a call whose answer was lost. The key comes as the argument `idempotency_key`, or as the
 * call's own key. It answers with the first answer, item by item, and `found: true`; with an empty list when nothing was ever done under the key; with a
 * transient error while the call still runs. Further arguments are ignored: the caller may repeat those of the lost call.
 */
export function reconcileTool(of: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}): DomainTool {
  return defineTool({
    ...of,
    input: z.looseObject({ idempotency_key: z.string().min(1).max(512).optional() }),
    isReadOnly: true,
    handle: tellWhatBecame,
  });
}

function tellWhatBecame(call: ToolCall<{ readonly idempotency_key?: string }>): ReturnType<typeof answerWith> {
  const key = call.arguments.idempotency_key ?? call.idempotencyKey;
  if (key === null) {
    return refuseWith({
      errorCategory: 'validation',
      isRetryable: false,
      message: 'Informe a chave de idempotência da operação.',
      parameter: 'idempotency_key',
    });
  }
  const remembered = call.recall(key);
  if (remembered === null) {
    return answerWith({ results: [], count: 0, note: 'Nenhuma operação foi registrada com esta chave.' });
  }
  if (remembered.kind === 'running') {
    const message = 'A operação ainda está em andamento. Consulte de novo em instantes.';
    return refuseWith({ errorCategory: 'transient', isRetryable: true, message, retryAfterMs: 500 });
  }
  return answerWith({ ...remembered.content, found: true, tool_name: remembered.tool });
}
