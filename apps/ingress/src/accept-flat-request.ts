import { type InputProblem, isFlatRequest, upcast } from '@latch/contracts';

/** A body in the current shape, and how a problem in it is told to somebody who sent another one. */
export type AcceptedBody = {
  readonly body: unknown;
  /** Moves the path of a problem back to where its sender wrote the value. */
  tellAt(problem: InputProblem): InputProblem;
};

/**
 * The one place where the ancestor platform's request is accepted: flat, the fields of `payload` at the top level, with `text` or `message` (SPEC-003 there). It
 * becomes GatewayRequest version 1 here, and nothing behind the edge knows that it was another shape: the turn, its id and its digest are those of the nested
 * request, so that a channel may change its spelling between two attempts of one message.
 *
 * The session id needs no adapter: with or without the prefix `tenant_id:agent_id:` it names the same conversation (`conversationKeyOf`).
 */
export function acceptFlatRequest(body: unknown): AcceptedBody {
  if (!isFlatRequest(body)) return { body, tellAt: (problem) => problem };
  const nested = upcast({ contract: 'gateway-request', major: 0, message: body });
  const isText = !Object.hasOwn(body, 'message') && Object.hasOwn(body, 'text');
  return { body: nested.ok ? nested.value : body, tellAt: (problem) => flattened(problem, isText) };
}

function flattened({ path, message }: InputProblem, isText: boolean): InputProblem {
  const flat = path.replace(/^\$\.payload(?=[.[])/, '$');
  return { path: isText && flat === '$.message' ? '$.text' : flat, message };
}
