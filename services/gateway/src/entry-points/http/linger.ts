import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that is still sending is listened to until it pauses for so long, */
const PAUSE_MS = 500;
/** and for so many bytes; beyond them nothing is read, and what it sends waits at its side. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** One that has not hung up by then is hung up on. */
const LINGER_MS = 5000;

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

/**
 * Listens a little longer to a client that is still sending, then ends; at once where it has sent everything. Many
 * clients read no answer before they have sent all: each gets the time to, as far as the bounds above go.
 */
export function lingerThen(
  request: IncomingMessage,
  end: () => void,
  lingerBytes = LINGER_BYTES,
): void {
  if (request.complete) {
    end();
    return;
  }
  let readBytes = 0;
  const stop = (): void => {
    clearTimeout(deadline);
    clearTimeout(pause);
    request.off('data', onData).off('end', stop).off('close', stop).pause();
    end();
  };
  const onData = (chunk: Buffer): void => {
    readBytes += chunk.length;
    if (readBytes > lingerBytes) {
      clearTimeout(pause);
      request.pause();
    } else pause.refresh();
  };
  const onPause = (): void => {
    const before = readBytes;
    // Timers come first after a stall of this process: what was sent meanwhile is read only now.
    setImmediate(() => {
      if (readBytes === before) stop();
    });
  };
  const deadline = setTimeout(stop, LINGER_MS);
  const pause = setTimeout(onPause, PAUSE_MS);
  request.on('data', onData).once('end', stop).once('close', stop).resume();
}
