import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long, and for how many more bytes, a client that is still sending is listened to. */
const LINGER_MS = 500;
const LINGER_BYTES = 4 * 1024 * 1024;

/** Whether the request announced a body of which something has not been received yet. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

/**
 * Sends the whole answer now and closes the connection a little later. Closing at once with unread bytes in the socket
 * makes the kernel send a reset, which can destroy the answer before the client has read it (RFC 9112, 9.6).
 */
export function endAfterLingering(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', body.length);
  response.write(body);
  lingerThen(request, () => response.end());
}

/** Listens a little longer to a client that is still sending, then ends; at once where it has sent everything. */
export function lingerThen(request: IncomingMessage, end: () => void): void {
  if (request.complete) {
    end();
    return;
  }
  let unreadBytes = 0;
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', onData).off('end', stop).off('close', stop).pause();
    end();
  };
  const onData = (chunk: Buffer): void => {
    unreadBytes += chunk.length;
    if (unreadBytes > LINGER_BYTES) stop();
  };
  const timer = setTimeout(stop, LINGER_MS);
  request.on('data', onData).once('end', stop).once('close', stop).resume();
}
