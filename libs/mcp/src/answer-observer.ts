import { type CallScope } from './call-scope.ts';
import { type AnswerSearch, searchAnswer } from './answer-search.ts';
import { type ExchangeError, type ExchangeObserver } from './http-exchange.ts';

/** Watches an exchange that belongs to no call. */
export const bystander: ExchangeObserver = {
  onSent: () => {},
  onStatus: () => {},
  onData: () => {},
  onEnd: () => false,
};

/** Watches the exchange that is to bring the answer to a request, and tells the call when it will not come. */
export function answerObserver(scope: CallScope, requestId: number): ExchangeObserver {
  let search: AnswerSearch | null = null;
  let isStream = false;
  let isRefusal = false;
  return {
    onSent() {
      scope.isSent = true;
    },
    onStatus(status, headers) {
      isRefusal = status < 200 || status > 299;
      isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
      if (!isRefusal) search = searchAnswer(requestId, isStream);
      else scope.refusal = { status, retryAfter: headers.get('retry-after') };
    },
    onData(chunk) {
      search?.push(chunk);
    },
    onEnd(error) {
      const answer = search?.end(error === null) ?? 'none';
      search = null;
      if (answer === 'resumable' && isBreak(error)) scope.resumption ??= { requestId, failures: 0 };
      else if (error !== null && answer !== 'complete') fail(scope, error);
      else if (!isRefusal && answer !== 'complete') failUnanswered(scope, isStream);
      return answer === 'complete';
    },
  };
}

/** The stream ended or broke, by the server's or the network's doing; what we end ourselves is not asked for again. */
function isBreak(error: ExchangeError | null): boolean {
  return error === null || !['aborted', 'connect_timeout', 'idle_timeout', 'result_too_large'].includes(error.code);
}

function fail(scope: CallScope, { code, message }: ExchangeError): void {
  scope.fail({ kind: 'transport_error', code, message, sent: scope.isSent });
}

/** The body ended in good order, and no answer to this request was in it. A finished scope takes no failure. */
function failUnanswered(scope: CallScope, isStream: boolean): void {
  const message = 'The server ended its answer without a result of this call.';
  scope.fail({ kind: 'transport_error', code: isStream ? 'stream_ended' : 'result_unreadable', message, sent: true });
}
