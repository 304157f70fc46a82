import { type Scope, scopes } from '@latch/config';
import { isRecord, type Result, success } from '@latch/contracts';
import { twoTenants } from './recorded-conversation.ts';

/** Authentication for tests: the tenant stands in the credential, `Bearer acme`; without one, a request may name any. It allows everything there. */
export function tenantInCredential(headers: { readonly authorization?: string | undefined }): Promise<
  Result<
    {
      readonly tenantId: string | null;
      readonly userId: null;
      readonly scopes: readonly Scope[];
      readonly lapsed: () => null;
    },
    never
  >
> {
  const tenantId = headers.authorization?.replace('Bearer ', '') ?? null;
  return Promise.resolve(success({ tenantId, userId: null, scopes, lapsed: () => null }));
}

/** An answer without what differs between any two requests. */
type Heard = { readonly status: number; readonly kind: string | null; readonly next: string | null } & {
  readonly retryAfter: string | null;
  readonly body: string;
};

/** Asks with a tenant's credential, or none. Of a stream, what came within half a second. */
async function hear(
  address: string,
  of: { readonly as?: string; readonly headers?: Record<string, string> } = {},
): Promise<Heard> {
  const gone = new AbortController();
  const headers = { ...of.headers, ...(of.as === undefined ? {} : { authorization: `Bearer ${of.as}` }) };
  const response = await fetch(address, { headers, signal: gone.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? await firstWords(response, gone) : await response.text();
  return {
    status: response.status,
    kind: response.headers.get('content-type'),
    next: response.headers.get('link'),
    retryAfter: response.headers.get('retry-after'),
    body: text.replace(/"trace_id":"[^"]*"/g, '"trace_id":""').replace(/"since":"[^"]*"/g, '"since":""'),
  };
}

const streamedMs = 500;

async function firstWords(response: Response, gone: AbortController): Promise<string> {
  const timer = setTimeout(() => gone.abort(), streamedMs);
  const [decoder, words] = [new TextDecoder(), new Array<string>()];
  try {
    for await (const chunk of response.body ?? []) words.push(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
  clearTimeout(timer);
  return words.join('');
}

/** What a caller may try to be taken for another tenant, in the query. */
const queryTricks: readonly string[] = [
  `tenant_id=${twoTenants.other}`,
  `tenant_id=${twoTenants.asker}&tenant_id=${twoTenants.other}`,
  `tenant_id=${twoTenants.other}&tenant_id=${twoTenants.asker}`,
  `tenant_id=${twoTenants.other.toUpperCase()}`,
  `Tenant_Id=${twoTenants.other}`,
  `tenantId=${twoTenants.other}`,
  'tenant_id=',
  'tenant_id=*',
  'tenant_id=%25',
  `tenant_id[]=${twoTenants.other}`,
  `tenant_id[0]=${twoTenants.asker}&tenant_id[1]=${twoTenants.other}`,
  `tenant_id[tenant_id]=${twoTenants.other}`,
  `tenant_id=%7B${twoTenants.asker},${twoTenants.other}%7D`,
  `tenant_id=${twoTenants.asker}%22,%22${twoTenants.other}`,
  `tenant_id=${twoTenants.other}%00`,
  `tenant_id=%20${twoTenants.other}`,
  `tenant_id=${twoTenants.asker}%26tenant_id=${twoTenants.other}`,
];

/** The same in headers that gateways and frameworks are known to read. */
const headerTricks: readonly Readonly<Record<string, string>>[] = [
  { 'x-tenant-id': twoTenants.other },
  { 'x-tenant': twoTenants.other, tenant_id: twoTenants.other },
  { 'x-forwarded-user': twoTenants.other, forwarded: `for=${twoTenants.other}` },
  { 'x-original-url': `/v1/transactions?tenant_id=${twoTenants.other}` },
  { 'x-http-method-override': 'GET', cookie: `tenant_id=${twoTenants.other}` },
];

/** Spellings of a conversation key of `other` that a careless reading of separators would take for one of `asker`, or for the real one. */
export function keyTricks(session: string, agent = 'retail_orders'): readonly string[] {
  const { asker, other } = twoTenants;
  const key = `${other}:${agent}:${session}`;
  const encoded = encodeURIComponent(key);
  return [
    key,
    encoded,
    encodeURIComponent(encoded),
    encodeURIComponent(key.toUpperCase()),
    encodeURIComponent(`${other.toUpperCase()}:${agent}:${session}`),
    encodeURIComponent(`${asker}:${key}`),
    encodeURIComponent(`${asker}/../${key}`),
    encodeURIComponent(`${asker},${key}`),
    encodeURIComponent(`${asker}\u0000${key}`),
    encodeURIComponent(` ${key}`),
    encodeURIComponent(`:${key}`),
    `${asker}%3A..%2F${encoded}`,
    `${encoded}%00`,
    `${encoded}%20`,
    encoded.replaceAll('%3A', '%EF%BC%9A'),
  ];
}

/** The paths of an OpenAPI document that can be read: each must have its row in a table of the reads. */
export function readPathsOf(document: object): readonly string[] {
  const paths: unknown = Reflect.get(document, 'paths');
  return Object.entries(Object(paths))
    .flatMap(([path, item]) => (isRecord(item) && 'get' in item ? [path] : []))
    .sort();
}

/** One read, with what only `other` has in it. */
export type TenantRead = {
  /** As `other` asks for its own. */
  readonly own: string;
  /** The same for something that never was. */
  readonly never: string;
  /** Further spellings of `own`. */
  readonly spellings?: readonly string[];
  /** What only the answer to `other` holds, where that is none of the secrets. */
  readonly mark?: string;
};

/**
 * Asks a service for what is `other`'s as `asker`, in every way that is known here.
 *
 * @param secrets what no answer to `asker` may hold.
 * @returns what leaked, in words; and says so when `other` itself does not get its own, since then nothing was tried.
 */
export async function leaksIn(url: string, read: TenantRead, secrets: readonly string[]): Promise<readonly string[]> {
  const { asker, other } = twoTenants;
  const holds = ({ body }: Heard): boolean =>
    [...secrets, ...(read.mark === undefined ? [] : [read.mark])].some((secret) => body.includes(secret));
  const leaks: string[] = [];
  const own = await hear(url + read.own, { as: other });
  if (own.status !== 200 || !holds(own)) leaks.push(`${other} does not get its own: ${own.status} ${own.body}`);
  for (const ask of asksOf(read)) {
    const heard = await hear(url + ask.address, ask);
    if (holds(heard) || heard.status >= 500) leaks.push(`${JSON.stringify(ask)}: ${heard.status} ${heard.body}`);
  }
  for (const naming of [{ as: asker }, { query: `tenant_id=${asker}` }, { as: asker, query: `tenant_id=${other}` }]) {
    const [there, never] = [withQuery(read.own, naming.query), withQuery(read.never, naming.query)];
    const [told, expected] = [await hear(url + there, naming), await hear(url + never, naming)];
    if (JSON.stringify(told) !== JSON.stringify(expected))
      leaks.push(`${there} is told apart from ${never}: ${JSON.stringify(told)}, ${JSON.stringify(expected)}`);
  }
  return leaks;
}

type Ask = { readonly address: string; readonly as?: string; readonly headers?: Readonly<Record<string, string>> };

function asksOf({ own, spellings = [] }: TenantRead): readonly Ask[] {
  const as = twoTenants.asker;
  const plain = [own, ...spellings].map((address) => ({ address, as }));
  const inQuery = queryTricks.map((query) => ({ address: withQuery(own, query), as }));
  const inHeaders = headerTricks.map((headers) => ({ address: own, as, headers }));
  const named = [own, ...spellings].map((address) => ({ address: withQuery(address, `tenant_id=${as}`) }));
  return [...plain, ...inQuery, ...inHeaders, ...named];
}

function withQuery(address: string, query: string | undefined): string {
  if (query === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** The body of a read that belongs to nobody, as anybody hears it. */
export async function heardByAnybody(address: string): Promise<string> {
  return (await hear(address)).body;
}
