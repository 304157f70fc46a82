// What the page asks its server. It only reads.

/** Where the page's credential is kept: here, for as long as the page is open, and nowhere else. */
let credential = null;

/** From now on every read carries this token or API key. */
export function useCredential(given) {
  credential = given;
}

/** Whether reads carry a credential. */
export function hasCredential() {
  return credential !== null;
}

/** A read that was refused. `needsCredential`: because of who asks, and another credential would help. `isMissing`: there was none. */
export class ReadFailed extends Error {
  constructor(problem) {
    super(sentenceOf(problem));
    this.isMissing = problem.code === 'auth.required';
    this.needsCredential = ['auth.required', 'auth.invalid', 'auth.expired'].includes(problem.code);
    // Asked again as it was, it would be refused again.
    this.isFinal = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
  }
}

/** Reads JSON. @throws ReadFailed with the problem's own sentence. */
export async function read(path, query = {}) {
  return (await readPage(path, query)).body;
}

/** Reads JSON, and the address of the next page where there is one. */
export async function readPage(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(Object.fromEntries(given));
  const address = parameters.size > 0 ? `${path}?${parameters}` : path;
  const answer = await fetch(address, { headers: { accept: 'application/json', ...authorization() } });
  const body = await answer.json();
  if (!answer.ok) throw new ReadFailed(body);
  const [, next] = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
  return { body, next };
}

function authorization() {
  return credential === null ? {} : { authorization: `Bearer ${credential}` };
}

function sentenceOf({ detail, code, errors = [] }) {
  const told = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `${detail ?? 'The console cannot answer.'} (${code ?? 'no code'})${told ? `: ${told}` : ''}`;
}

/** Time between the end of a stream and the next one, as the server also asks for it. */
const retryMs = 1_000;

/**
 * Follows the signals of a tenant. When the stream breaks, another goes on after what was seen last; an EventSource would do that by itself, but cannot send a
 * credential. @returns how to stop.
 */
export function follow({ tenant, family, latest }, told) {
  const query = new URLSearchParams({ tenant_id: tenant, latest: String(latest), ...(family ? { family } : {}) });
  const stop = new AbortController();
  void keepFollowing(`/v1/signals/stream?${query}`, { signal: stop.signal, told });
  return () => stop.abort();
}

async function keepFollowing(address, { signal, told }) {
  let seen;
  while (!signal.aborted) {
    try {
      const headers = { ...authorization(), ...(seen === undefined ? {} : { 'last-event-id': seen }) };
      const answer = await fetch(address, { headers, signal });
      if (!answer.ok) throw new ReadFailed(await answer.json());
      for await (const frame of framesOf(answer.body)) {
        seen = frame.id ?? seen;
        showFrame(frame, told);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error.needsCredential) return told.onDenied(error);
      if (error.isFinal) return told.onRefused(error);
    }
    if (signal.aborted) return;
    told.onLost();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

function showFrame({ event, data }, { onConnected, onSignal }) {
  if (event === 'connected') onConnected(JSON.parse(data));
  if (event === 'signal') onSignal(JSON.parse(data));
  if (event === 'error') throw new ReadFailed(JSON.parse(data));
}

/** The frames of server-sent events, as this server writes them: one line of each field, and an empty line behind. */
async function* framesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) yield fieldsOf(block);
  }
}

function fieldsOf(block) {
  const fields = block.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}
