import { isRecord } from '@latch/contracts';

/** Personal data and credentials as a caller may put them, by mistake, into any place of a request. */
export const tellTales: Readonly<Record<string, string>> = {
  cpf: '529.982.247-25',
  bareCpf: '52998224725',
  cnpj: '12.ABC.345/01DE-35',
  card: '4111 1111 1111 1111',
  phone: '(11) 98765-4321',
  email: 'ana.souza@example.com',
  token: 'Bearer abc.def-1234567890',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
};

/** The values as they may come out again: as they were, in an address, without their spelling. */
const spellings = Object.values(tellTales).flatMap((value) => [
  value.replace('Bearer ', ''),
  encodeURIComponent(value),
]);

/** What of personal data stands in a text. */
export function tellTalesIn(text: string): readonly string[] {
  return spellings.filter((value) => text.includes(value));
}

/** Whom to ask, and the document that says what can be asked. */
export type EchoedApi = { readonly url: string; readonly document: object };

/** What a round of requests came to. */
export type Echoes = {
  /** Requests that were refused or failed, by status: without any nothing was tried. */
  readonly refused: Readonly<Record<number, number>>;
  /** Answers that repeated personal data, in words; ten of them at the most. */
  readonly echoes: readonly string[];
};

/** Asks for every path of an API with personal data in its path, query, headers and body, and looks for it in every answer that is an error. */
export async function echoesIn({ url, document }: EchoedApi): Promise<Echoes> {
  const refused: Record<number, number> = {};
  const echoes: string[] = [];
  const asks = asksOf(document);
  const next = async (): Promise<void> => {
    for (let ask = asks.pop(); ask !== undefined; ask = asks.pop()) {
      const { status, text } = await hear(url, ask);
      if (status < 400) continue;
      refused[status] = (refused[status] ?? 0) + 1;
      if (tellTalesIn(text).length > 0)
        echoes.push(`${ask.method} ${ask.address} ${ask.body ?? ''}: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return { refused, echoes: echoes.slice(0, 10) };
}

const atOnce = 16;

type Ask = {
  readonly method: string;
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** What is tried in each place: a value that passes for an id, one that nearly does, and everything together. What the mask knows is its own spec. */
const tried = [tellTales['bareCpf'], tellTales['email'], Object.values(tellTales).join(' ')].map(String);

/** Headers that are read by us, by a framework, or that carry credentials. */
const headerNames = [
  ...['authorization', 'cookie', 'prefer', 'last-event-id', 'traceparent', 'tracestate', 'x-request-id'],
  ...['idempotency-key', 'accept', 'x-tenant-id', 'if-none-match', 'range'],
];

function asksOf(document: object): Ask[] {
  const queryNames = [...new Set(JSON.stringify(document).match(/(?<="name":")\w+(?=","in":"query")/g) ?? [])];
  return operationsIn(document).flatMap(({ method, path }) =>
    tried.flatMap((value) => [
      ...addressesWith(path, { value, queryNames }).map((address) => ({ method, address, ...bodyOf(method, '{}') })),
      ...[headerNames, ['content-type']].map((names) => ({
        ...{ method, address: filled(path, 'never'), headers: Object.fromEntries(names.map((name) => [name, value])) },
        ...bodyOf(method, '{}'),
      })),
      ...(method === 'POST' ? bodiesWith(value).map((body) => ({ method, address: path, body })) : []),
    ]),
  );
}

function operationsIn(document: object): readonly { readonly method: string; readonly path: string }[] {
  const paths: unknown = Reflect.get(document, 'paths');
  return Object.entries(Object(paths)).flatMap(([path, item]) =>
    // The document itself is large, and asks for nothing.
    isRecord(item) && path !== '/openapi.json'
      ? Object.keys(item).map((method) => ({ method: method.toUpperCase(), path }))
      : [],
  );
}

function addressesWith(path: string, of: { readonly value: string; readonly queryNames: readonly string[] }): string[] {
  const value = encodeURIComponent(of.value);
  const asked = filled(path, 'default%3Aagent%3As-1');
  return [
    filled(path, value),
    `${filled(path, value)}/${value}`,
    `/${value}`,
    `/%E0%A4%A${value}`,
    ...[
      of.queryNames.map((name) => `${name}=${value}`).join('&'),
      `${value}=1`,
      `tenant_id=default&${value}=${value}`,
      `tenant_id[${value}]=1`,
      `%E0%A4%A=${value}`,
    ].map((query) => `${asked}?${query}`),
  ];
}

function filled(path: string, value: string): string {
  return path.replaceAll(/\{\w+\}/g, value);
}

function bodyOf(method: string, body: string): { readonly body?: string } {
  return method === 'POST' ? { body } : {};
}

/** Bodies of a message that are refused for what they hold, with the value in every place of them. */
function bodiesWith(value: string): readonly string[] {
  const valid = { message: 'oi', session_id: 's-1', message_id: 'm-1' };
  const wrong: readonly unknown[] = [
    value,
    [value],
    { [value]: value },
    { channel: value, payload: [value] },
    { channel: [value], payload: { ...valid, message: [value] } },
    { channel: 'web', agent_id: value, payload: valid },
    { channel: 'web', tenant_id: value, payload: valid },
    { channel: 'web', payload: { ...valid, session_id: `${value} ` } },
    { channel: 'web', payload: { ...valid, message_id: [value], user_id: { [value]: value } } },
    { channel: 'web', payload: { ...valid, session_id: null, context: { [value]: value } } },
    { channel: 'web', payload: { ...valid, message_id: '', metadata: { contract_version: value } } },
    { channel: 'web', payload: { ...valid, inputs: value, tool_arguments: value, business_context: value } },
  ];
  const name = JSON.stringify(value);
  return [
    value,
    `{"channel": ${value}`,
    `{${name}:1,${name}:2}`,
    `{"payload":{${name}:{"__proto__":${name}},"context":{${name}:1e999}}}`,
    ...wrong.map((body) => JSON.stringify(body)),
  ];
}

async function hear(url: string, ask: Ask): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { prefer: 'wait=0', ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(url + ask.address, {
    ...{ method: ask.method, headers: { ...headers, ...ask.headers } },
    ...(ask.body === undefined ? {} : { body: ask.body }),
  });
  if (response.status >= 400) return { status: response.status, text: await response.text() };
  await response.body?.cancel();
  return { status: response.status, text: '' };
}
