import { type Request } from 'express';

/** Where a page of a conversation goes on, as its `Link` says; whoever named the tenant names it again. */
export function nextPageOf({ path }: Pick<Request, 'path'>, place: NextPage): string {
  const { after, limit, tenant_id } = place;
  const query = new URLSearchParams({ after: String(after), limit: String(limit), ...(tenant_id && { tenant_id }) });
  return `<${path}?${query.toString()}>; rel="next"`;
}

/** After which sequence, and how much. */
type NextPage = { readonly after: number; readonly limit: number; readonly tenant_id?: string | undefined };
