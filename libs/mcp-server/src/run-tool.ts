import { type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { digest, type StructuredError } from '@latch/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallLog, type LoggedCall } from './call-log.ts';
import { type DomainTool, refuseWith, type ToolAnswer, type ToolCall } from './domain-tool.ts';
import { type Ask, askFirst } from './ask-first.ts';
import { type Fault } from './faults.ts';
import { type FirstAnswers, type KeyedAnswer } from './first-answers.ts';

/** What a server remembers beside its domain. */
export type ServerMemory = { readonly log: CallLog; readonly firstAnswers: FirstAnswers };

/** One `tools/call` on its way through the server. */
export type IncomingCall = {
  readonly arguments: unknown;
  readonly idempotencyKey: string | null;
  readonly tenant: string | null;
  readonly signal: AbortSignal;
  readonly fault: Fault | null;
  /** Closes the socket of the call. */
  dropConnection(): void;
  readonly ask: Ask;
};

/** Runs a tool once per idempotency key, with the fault that is switched on for it, and logs the call and its effects. */
export async function runTool(tool: DomainTool, call: IncomingCall, memory: ServerMemory): Promise<CallToolResult> {
  const failure = call.fault === null ? null : (failureOf(call.fault) ?? (await askFirst(call.fault, call.ask)));
  if (failure !== null) {
    logCall({ tool, call, memory, outcome: 'not_run', effects: 0 });
    await wait(call, call.fault?.kind === 'timeout' ? lateMs : 0);
    return failure;
  }
  const keyed = await answerOnce(tool, call, memory);
  logCall({ tool, call, memory, ...toLogged(keyed) });
  await holdBack(call);
  return toResult(keyed.kind === 'conflict' ? refuseWith(conflictWith(keyed.tool)) : keyed.answer);
}

/** How long a late answer takes when the fault does not say. */
const lateMs = 60_000;

/** The answer of a fault under which the tool does not run; null for the others. */
function failureOf(fault: Fault): CallToolResult | null {
  const text = { error_text: 'Operation failed', error_junk_json: '{"errorCategory": "transient", "message": "Up' };
  if (fault.kind === 'error_text' || fault.kind === 'error_junk_json')
    return { isError: true, content: [{ type: 'text', text: text[fault.kind] }] };
  if (fault.kind === 'error_structured')
    return { isError: true, content: [], structuredContent: { ...failed('business', 'O pedido já foi enviado.') } };
  const error = failures.get(fault.kind);
  return error === undefined ? null : toResult(refuseWith(error));
}

const failures: ReadonlyMap<Fault['kind'], StructuredError> = new Map([
  ['timeout', failed('transient', 'O sistema de origem não respondeu a tempo.')],
  ['error_transient', failed('transient', 'O sistema de origem não respondeu a tempo.')],
  ['error_business', failed('business', 'A operação não é permitida para este cliente.')],
  ['error_permission', failed('permission', 'A credencial não permite esta operação.')],
  ['error_validation', failed('validation', 'Um dos dados informados não é válido.')],
]);

function failed(errorCategory: StructuredError['errorCategory'], message: string): StructuredError {
  return { errorCategory, isRetryable: errorCategory === 'transient', message };
}

async function answerOnce(tool: DomainTool, call: IncomingCall, memory: ServerMemory): Promise<KeyedAnswer> {
  const work = async (): Promise<ToolAnswer> => await tool.handle(toToolCall(call, memory));
  const { idempotencyKey: key } = call;
  if (tool.isReadOnly || key === null) return { kind: 'first', answer: await work() };
  return await memory.firstAnswers.answer(key, { tool: tool.name, digest: digest(call.arguments) }, work);
}

function toToolCall(call: IncomingCall, { firstAnswers }: ServerMemory): ToolCall<unknown> {
  return {
    arguments: call.arguments,
    idempotencyKey: call.idempotencyKey,
    tenant: call.tenant,
    signal: call.signal,
    itemLimit: call.fault?.kind === 'partial' ? 1 : null,
    recall: (key) => firstAnswers.recall(key),
  };
}

function toLogged(keyed: KeyedAnswer): Pick<LoggedCall, 'outcome' | 'effects'> {
  if (keyed.kind === 'conflict') return { outcome: 'conflict', effects: 0 };
  if (!keyed.answer.ok) return { outcome: 'refused', effects: 0 };
  return keyed.kind === 'repeated'
    ? { outcome: 'repeated', effects: 0 }
    : { outcome: 'answered', effects: keyed.answer.effects };
}

function logCall(
  of: { readonly tool: DomainTool; readonly call: IncomingCall; readonly memory: ServerMemory } & Pick<
    LoggedCall,
    'outcome' | 'effects'
  >,
): void {
  of.memory.log.add({
    tool: of.tool.name,
    key: of.call.idempotencyKey,
    tenant: of.call.tenant,
    arguments: of.call.arguments,
    argumentsDigest: digest(of.call.arguments),
    at: new Date().toISOString(),
    effects: of.effects,
    outcome: of.outcome,
    fault: of.call.fault?.kind ?? null,
  });
}

async function holdBack(call: IncomingCall): Promise<void> {
  if (call.fault?.kind === 'drop_after_commit') call.dropConnection();
  await wait(call, call.fault?.kind === 'timeout_after_commit' ? lateMs : 0);
}

async function wait({ fault, signal }: IncomingCall, byDefaultMs: number): Promise<void> {
  const delayMs = fault?.delayMs ?? byDefaultMs;
  if (delayMs === 0) return;
  // Whoever waits no longer gets no answer; an aborted wait must not become an error of the tool.
  await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
}

function conflictWith(tool: string): StructuredError {
  const message = `A chave de idempotência já foi usada para ${tool} com outros argumentos. Nada foi feito.`;
  return failed('validation', message);
}

function toResult(answer: ToolAnswer): CallToolResult {
  if (!answer.ok) return { isError: true, content: [{ type: 'text', text: JSON.stringify(answer.error) }] };
  const structuredContent = { ...answer.content };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
