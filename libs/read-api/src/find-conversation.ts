import { failure, type Result, success } from '@latch/contracts';
import { type StoredConversation } from '@latch/event-store';
import { type Refusal } from '@latch/http';
import { type Request } from 'express';
import { type ReadApi } from './read-api.ts';

/** The conversation of a key. The key begins with its tenant; a credential's tenant counts more, and another tenant's conversation does not exist. */
export async function findConversation(
  { authenticate, store }: Pick<ReadApi, 'authenticate' | 'store'>,
  key: string,
  request: Pick<Request, 'headers'>,
): Promise<Result<StoredConversation, Refusal>> {
  const principal = authenticate(request.headers);
  if (!principal.ok) return principal;
  const tenantId = principal.value.tenantId ?? key.slice(0, Math.max(0, key.indexOf(':')));
  const found = await store.read((reads) => reads.readConversation(tenantId, key));
  if (!found.ok) return found;
  return found.value ? success(found.value) : failure({ status: 404, code: 'conversation.unknown' });
}
