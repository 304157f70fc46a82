import { type IncomingMessage } from 'node:http';
import { failure, type Result } from '@latch/contracts';
import { headerOf, invalidRequest, principalOf, type Refusal } from '@latch/http';
import { type Ingress } from './ingress.ts';
import { readJsonText } from './request-body.ts';
import { type JsonRefusal, parseStrictJson } from './strict-json.ts';
import { readTurn, type Turn } from './turn.ts';

/** Reads an HTTP request as a turn: body, JSON, contract, scope. The first step that refuses ends it. */
export async function turnFromRequest(ingress: Ingress, request: IncomingMessage): Promise<Result<Turn, Refusal>> {
  const text = await readJsonText(request);
  if (!text.ok) return text;
  const body = parseStrictJson(text.value);
  if (!body.ok) return failure(refusalOf(body.error));
  const contractHeader = headerOf(request, 'x-agent-framework-contract');
  return readTurn(body.value, { principal: principalOf(request), contractHeader }, ingress.config);
}

function refusalOf(refusal: JsonRefusal): Refusal {
  return refusal.kind === 'malformed' ? { status: 400, code: 'request.malformed' } : invalidRequest(refusal.problems);
}
