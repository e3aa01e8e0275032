import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

/** A client has this long to send a body that is read as a whole. */
const BODY_TIMEOUT_MS = 60_000;

/**
 * Reads a request's body. A body over the limit is refused as soon as that is known: from its Content-Length, or with
 * the first byte too many; the rest stays unread.
 * @throws HttpError 413, 408 when it takes too long, or 400 when the client goes away in the middle
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes) return Promise.reject(tooLarge('the body', limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes > limitBytes) fail(tooLarge('the body', limitBytes));
    };
    const onEnd = (): void => {
      clearTimeout(timer);
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, sizeBytes));
    };
    // After its end a request is closed as well: each one would make an error, stack and all.
    const onClose = (): void => {
      if (!request.readableEnded) fail(new HttpError(400, 'the body ended before it was complete'));
    };
    const timer = setTimeout(() => fail(tooSlow(timeoutMs)), timeoutMs);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** @param what what is too large, for the error */
export function tooLarge(what: string, limitBytes: number): HttpError {
  const message = `${what} exceeds ${limitBytes} bytes`;
  return new HttpError(413, message, {
    code: 'PAYLOAD_TOO_LARGE',
    errors: [{ field: 'body', message }],
  });
}

function tooSlow(timeoutMs: number): HttpError {
  const message = `the body did not arrive within ${timeoutMs} ms`;
  return new HttpError(408, message, { errors: [{ field: 'body', message }] });
}
