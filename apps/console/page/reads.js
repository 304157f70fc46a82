// What the page asks its server. It only reads.

/** Reads JSON. @throws Error with the problem's own sentence. */
export async function read(path, query = {}) {
  return (await readPage(path, query)).body;
}

/** Reads JSON, and the address of the next page where there is one. */
export async function readPage(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(Object.fromEntries(given));
  const address = parameters.size > 0 ? `${path}?${parameters}` : path;
  const answer = await fetch(address, { headers: { accept: 'application/json' } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(sentenceOf(body));
  const [, next] = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
  return { body, next };
}

function sentenceOf({ detail, code, errors = [] }) {
  const told = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `${detail ?? 'The console cannot answer.'} (${code ?? 'no code'})${told ? `: ${told}` : ''}`;
}

/** Follows the signals of a tenant; the browser connects again by itself and says what it saw last. @returns how to stop. */
export function follow({ tenant, family, latest }, { onSignal, onConnected, onLost }) {
  const query = new URLSearchParams({ tenant_id: tenant, latest: String(latest), ...(family ? { family } : {}) });
  const source = new EventSource(`/v1/signals/stream?${query}`);
  source.addEventListener('connected', ({ data }) => onConnected(JSON.parse(data)));
  source.addEventListener('signal', ({ data }) => onSignal(JSON.parse(data)));
  source.addEventListener('error', () => onLost(source.readyState === EventSource.CLOSED));
  return () => source.close();
}
