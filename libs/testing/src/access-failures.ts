import { type WrongCredential } from './wrong-credentials.ts';

/** One endpoint, as somebody asks for it. */
export type Endpoint = {
  /** Method and address, as `GET /v1/turns/t-1`. */
  readonly ask: string;
  readonly body?: object;
  /** Any one of them is enough. */
  readonly scopes: readonly string[];
};

/** What is tried at every endpoint. */
export type AccessTrial = {
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly wrong: Readonly<Record<string, WrongCredential>>;
  /** A good credential with exactly these scopes. */
  readonly withScopes: (scopes: readonly string[]) => Promise<string>;
  readonly allScopes: readonly string[];
};

/** Tries every wrong credential at an endpoint, and every scope. @returns what was not answered as it must be, in words. */
export async function accessFailures(trial: AccessTrial): Promise<readonly string[]> {
  return [...(await wrongOnes(trial)), ...(await scopesOneByOne(trial))];
}

async function wrongOnes(trial: AccessTrial): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, { authorization, status, code }] of Object.entries(trial.wrong)) {
    const heard = await hear(trial, authorization);
    const isRight = heard.status === status && heard.body.includes(`"${code}"`) && heard.challenge.startsWith('Bearer');
    const secret = authorization?.replace(/^\w+ ?/, '') ?? '';
    if (!isRight) found.push(`${name}: ${heard.status} ${heard.body}`);
    if (secret.length > 8 && heard.body.includes(secret)) found.push(`${name}: the answer repeats it`);
  }
  return found;
}

async function scopesOneByOne(trial: AccessTrial): Promise<readonly string[]> {
  const { endpoint, allScopes, withScopes } = trial;
  const found: string[] = [];
  for (const scopes of [[], ...allScopes.map((scope) => [scope])]) {
    const heard = await hear(trial, await withScopes(scopes));
    const isAllowed = scopes.some((scope) => endpoint.scopes.includes(scope));
    const isDenied = heard.status === 403 && heard.challenge.includes('insufficient_scope');
    const isServed = ![401, 403, 500].includes(heard.status);
    if (isAllowed ? !isServed : !isDenied) found.push(`scopes ${scopes.join()}: ${heard.status} ${heard.body}`);
  }
  return found;
}

type Heard = { readonly status: number; readonly body: string; readonly challenge: string };

async function hear({ url, endpoint }: AccessTrial, authorization: string | undefined): Promise<Heard> {
  const [method = 'GET', address = '/'] = endpoint.ask.split(' ');
  const response = await fetch(url + address, {
    method,
    headers: {
      ...(endpoint.body && { 'content-type': 'application/json', prefer: 'wait=0' }),
      ...(authorization !== undefined && { authorization }),
    },
    ...(endpoint.body && { body: JSON.stringify(endpoint.body) }),
  });
  const { status } = response;
  const challenge = response.headers.get('www-authenticate') ?? '';
  if (status >= 400) return { status, challenge, body: await response.text() };
  await response.body?.cancel();
  return { status, challenge, body: '' };
}
