import vm from 'node:vm';
import { failure, type Result, success } from '@latch/contracts';

const stage = { work: (): unknown => undefined };
const context = vm.createContext(stage);
const start = new vm.Script('work()');

/**
 * Runs synchronous code that works on what a server wrote, and ends it after `timeoutMs` wherever it is, also inside a regular expression: V8 stops it.
 *
 * @returns the error in words, that of the code or that it took too long. Nothing is thrown.
 */
export function boundedRun<T>(work: () => T, timeoutMs: number): Result<T, string> {
  let value: Result<T, string> = failure('It did not end.');
  stage.work = () => {
    value = success(work());
  };
  try {
    start.runInContext(context, { timeout: timeoutMs });
    return value;
  } catch (error) {
    return failure(wordsOf(error, timeoutMs));
  } finally {
    stage.work = () => undefined;
  }
}

/** Read by shape: an error of another realm is no `Error` here. */
function wordsOf(error: unknown, timeoutMs: number): string {
  const members: Partial<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {};
  if (members['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return `It took longer than ${timeoutMs} ms.`;
  return String(error).slice(0, 500);
}
