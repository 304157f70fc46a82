import { createServer, type IncomingMessage, type Server } from 'node:http';

/** How a server is broken: what it gets wrong between the wire and a server that does it right. Texts are whole JSON bodies. */
export type Breakage = {
  readonly request?: (body: string) => string;
  readonly response?: (body: string, request: string) => string;
};

/** A domain server that gets one thing wrong: a proxy before one that does it right. */
export async function startBroken(
  original: string,
  { request = (body) => body, response = (body) => body }: Breakage,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    void (async () => {
      const asked = request(await textOf(incoming));
      const upstream = await fetch(original, {
        method: incoming.method ?? 'POST',
        headers: headersFor(incoming),
        ...(incoming.method === 'POST' ? { body: asked } : {}),
      });
      const type = upstream.headers.get('content-type');
      const session = upstream.headers.get('mcp-session-id');
      const said = incoming.method === 'GET' ? '' : response(await upstream.text(), asked);
      if (incoming.method === 'GET') await upstream.body?.cancel();
      answer.writeHead(incoming.method === 'GET' ? 405 : upstream.status, {
        ...(type === null ? {} : { 'content-type': type }),
        ...(session === null ? {} : { 'mcp-session-id': session }),
      });
      answer.end(said);
    })().catch(() => answer.destroy());
  });
  return { url: await listen(server), stop: () => stop(server) };
}

function headersFor({ headers }: IncomingMessage): Record<string, string> {
  const kept = ['content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version'];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The broken server has no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
