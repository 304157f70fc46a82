import { failure, type Result, success } from '@latch/contracts';
import { type StoredConversation } from '@latch/event-store';
import { type Refusal } from '@latch/http';
import { type Request } from 'express';
import { type z } from 'zod';
import { type ConversationQuery } from './queries.ts';
import { type ReadApi } from './read-api.ts';
import { type TenantScope, tenantScopeOf } from './tenant-scope.ts';

/** A conversation, and what was asked of it. */
export type FoundConversation<Q> = { readonly conversation: StoredConversation; readonly query: Q };

/** Which conversation a request asks for, and the schema of its query. */
type Wanted<S> = {
  readonly key: string;
  readonly request: Request;
  readonly schema: S;
};

/** The conversation of a key, of the tenant that it is asked for: for another one it does not exist (invariant I12). */
export async function findConversation<S extends z.ZodType<z.output<typeof ConversationQuery>>>(
  { store }: Pick<ReadApi, 'store'>,
  { key, request, schema }: Wanted<S>,
): Promise<Result<FoundConversation<z.output<S>>, Refusal>> {
  const scope = conversationScopeOf({ key, request, schema });
  if (!scope.ok) return scope;
  const { tenantId, query } = scope.value;
  const found = await store.read((reads) => reads.readConversation(tenantId, key));
  if (!found.ok) return found;
  return found.value
    ? success({ conversation: found.value, query })
    : failure({ status: 404, code: 'conversation.unknown' });
}

/** For which tenant a conversation is asked for. The key begins with its tenant; that of a credential, or one that the query names, counts more. */
export function conversationScopeOf<S extends z.ZodType<z.output<typeof ConversationQuery>>>({
  key,
  request,
  schema,
}: Wanted<S>): Result<TenantScope<z.output<S>>, Refusal> {
  const defaultTenantId = key.slice(0, Math.max(0, key.indexOf(':')));
  return tenantScopeOf({ defaultTenantId }, request, schema);
}
