import { type IncomingMessage } from 'node:http';
import { failure, type Result, success } from '@latch/contracts';
import { type Refusal } from '@latch/http';

/** The largest body that is read. */
export const maxBodyBytes = 256 * 1024;

/**
 * Reads a JSON request's body as text: media type first, then size (announced, and counted while it comes, so that a chunked body is bounded too), then
 * UTF-8. What a refused body still sends is thrown away, not kept; the server's request time-out bounds it.
 */
export async function readJsonText(request: IncomingMessage): Promise<Result<string, Refusal>> {
  const isJson = isJsonType(request.headers['content-type']) && isPlain(request.headers['content-encoding']);
  if (!isJson) return refuse(request, { status: 415, code: 'request.unsupported_media_type' });
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return refuse(request, tooLarge);
  const bytes = await readBytes(request);
  return bytes.ok ? decode(bytes.value) : refuse(request, bytes.error);
}

const tooLarge: Refusal = { status: 413, code: 'request.too_large' };

function refuse(request: IncomingMessage, refusal: Refusal): Result<never, Refusal> {
  request.resume();
  return failure(refusal);
}

/** JSON in UTF-8: another charset would be read as other words. */
function isJsonType(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '');
}

function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity';
}

function readBytes(request: IncomingMessage): Promise<Result<Buffer, Refusal>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(failure(tooLarge));
    });
    request.on('end', () => resolve(success(Buffer.concat(chunks))));
    const broken = (): void => resolve(failure({ status: 400, code: 'request.malformed' }));
    request.on('error', broken).on('close', broken);
  });
}

function decode(bytes: Buffer): Result<string, Refusal> {
  try {
    return success(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return failure({ status: 400, code: 'request.malformed', detail: 'The body is not valid UTF-8.' });
  }
}
