import { failure, type RawOutcome, type Result, success } from '@latch/contracts';
import { CallScope, currentScope } from './call-scope.ts';
import { callHeaders } from './guarded-fetch.ts';
import { type SessionOwner } from './mcp-call.ts';
import { isSessionRefusal } from './session-refusal.ts';
import { type Session, settled } from './session.ts';
import { type SessionPool } from './session-pool.ts';
import { whenAborted } from './when-aborted.ts';

/** What is asked of a server within a session, whatever it is. */
export type SessionRequest = SessionOwner & {
  /** Total budget in milliseconds, the opening of a session included. */
  readonly timeoutMs: number;
  /** Gives the request up: it ends at once, and the server is told. */
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
};

/**
 * Works in a session of the owner, under a total deadline. Whatever a server does comes back as an outcome; nothing is thrown, and within the deadline plus
 * the time of one turn of the event loop the work is over and its socket closed.
 *
 * A session that the server has lost is opened anew and the work begun once more, because a request that was refused for its session never reached the tool.
 */
export async function inSession<T>(
  request: SessionRequest,
  sessions: SessionPool,
  work: (session: Session, scope: CallScope) => Promise<T>,
): Promise<Result<T, RawOutcome>> {
  const scope = new CallScope(callHeaders(request.idempotencyKey));
  const release = bindEnd(request, scope);
  try {
    const first = await attempt({ request, scope, sessions }, work);
    return isLostSession(first) ? await attempt({ request, scope, sessions }, work) : first;
  } finally {
    release();
    scope.finish();
  }
}

type Attempt = { readonly request: SessionRequest; readonly scope: CallScope; readonly sessions: SessionPool };

async function attempt<T>(
  { request, scope, sessions }: Attempt,
  work: (session: Session, scope: CallScope) => Promise<T>,
): Promise<Result<T, RawOutcome>> {
  scope.restart();
  const lease = sessions.take(request);
  try {
    const opened = await Promise.race([lease.session, scope.failure]);
    if ('kind' in opened) return failure(opened);
    if (!opened.ok) return opened;
    const done = await run(opened.value, scope, work);
    if (isLostSession(done) || (opened.value.endsOnTimeout && isTimeout(done))) lease.drop();
    return done;
  } finally {
    lease.giveBack();
  }
}

async function run<T>(
  session: Session,
  scope: CallScope,
  work: (session: Session, scope: CallScope) => Promise<T>,
): Promise<Result<T, RawOutcome>> {
  session.running.add(scope);
  try {
    const failed = scope.failure.then((outcome) => failure(outcome));
    return await currentScope.run(scope, () => Promise.race([work(session, scope).then(success), failed]));
  } catch (error) {
    const outcome = await settled(scope, error);
    const isRefused = session.id !== undefined && isSessionRefusal(outcome);
    return failure(isRefused ? { ...outcome, session_lost: true, sent: false } : outcome);
  } finally {
    session.running.delete(scope);
  }
}

function bindEnd({ timeoutMs, signal }: SessionRequest, scope: CallScope): () => void {
  const timer = setTimeout(() => scope.fail({ kind: 'timeout', timeout_ms: timeoutMs, sent: scope.isSent }), timeoutMs);
  const onAbort = (): void => {
    scope.fail({ kind: 'transport_error', code: 'aborted', message: 'The call was given up.', sent: scope.isSent });
  };
  const takeBack = signal && whenAborted(signal, onAbort);
  return () => {
    clearTimeout(timer);
    takeBack?.();
  };
}

function isLostSession<T>(done: Result<T, RawOutcome>): boolean {
  return !done.ok && done.error.kind === 'http_error' && done.error.session_lost === true;
}

function isTimeout<T>(done: Result<T, RawOutcome>): boolean {
  return !done.ok && done.error.kind === 'timeout';
}
