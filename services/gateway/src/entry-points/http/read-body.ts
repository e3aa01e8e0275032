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
    const timer = setTimeout(onTimeout, timeoutMs, request, timeoutMs);
    const reading: Reading = { chunks: [], sizeBytes: 0, limitBytes, timer, resolve, reject };
    (request as ReadRequest)[READING] = reading;
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** A body that is under way. */
interface Reading {
  readonly chunks: Buffer[];
  sizeBytes: number;
  readonly limitBytes: number;
  readonly timer: NodeJS.Timeout;
  resolve(body: Buffer): void;
  reject(error: Error): void;
}

/** Kept on the request, so that listeners need no functions of their own for each: this is the gateway's hottest path. */
const READING = Symbol('reading');

type ReadRequest = IncomingMessage & { [READING]: Reading };

function onData(this: IncomingMessage, chunk: Buffer): void {
  const reading = (this as ReadRequest)[READING];
  reading.sizeBytes += chunk.length;
  reading.chunks.push(chunk);
  if (reading.sizeBytes > reading.limitBytes) {
    fail(this, tooLarge('the body', reading.limitBytes));
  }
}

function onEnd(this: IncomingMessage): void {
  const { timer, chunks, sizeBytes, resolve } = (this as ReadRequest)[READING];
  clearTimeout(timer);
  const [first] = chunks;
  resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, sizeBytes));
}

/** After its end a request is closed as well: each one would make an error, stack and all. */
function onClose(this: IncomingMessage): void {
  if (!this.readableEnded) fail(this, new HttpError(400, 'the body ended before it was complete'));
}

function onTimeout(request: IncomingMessage, timeoutMs: number): void {
  fail(request, tooSlow(timeoutMs));
}

function fail(request: IncomingMessage, error: Error): void {
  const { timer, reject } = (request as ReadRequest)[READING];
  clearTimeout(timer);
  request.off('data', onData);
  reject(error);
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
