import { failure, Instant, problemsOf, type Result, success, TransactionStatus } from '@latch/contracts';
import { z } from 'zod';
import { invalidRequest, type Refusal } from './refusal.ts';

/** Names the tenant where there are no credentials; with a credential it may only repeat the credential's. */
const tenant_id = z.string().min(1).max(64).optional().describe('Tenant; the default tenant when left out.');

/** The queries of the read API. They are strict: a misspelled filter must not look like an empty result. `openapi.ts` publishes them. */
export const TenantQuery = z.strictObject({ tenant_id });

/** Of a read that has nothing to choose. */
export const NoQuery = z.strictObject({});

export const EventsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('Sequence after which to begin.'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('The most events of one answer.'),
});

export const TransactionsQuery = z.strictObject({
  tenant_id,
  status: TransactionStatus.optional().describe('Only transactions in this state.'),
  tool: z.string().min(1).max(200).optional().describe('Only transactions of this tool.'),
  since: Instant.optional().describe('Only transactions that started at this instant or later.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('The most transactions of one answer.'),
});

/** Reads a query string in one of the shapes above; every problem is reported together. */
export function readQuery<S extends z.ZodType>(schema: S, query: unknown): Result<z.output<S>, Refusal> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return success(parsed.data);
  const problems = problemsOf(parsed.error).map(({ path, message }) => ({ path: path.replace('$', 'query'), message }));
  return failure(invalidRequest(problems, 'The query is not valid.'));
}
