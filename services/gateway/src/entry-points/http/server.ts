import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Linked, LinkedSet } from '@warren/contracts';
import { type BodyLimits, mayContinue } from './continue-rule.ts';
import { listenOn } from './listen-on.ts';

/** An HTTP server that can be stopped without cutting off requests in flight. */
export interface HttpServer {
  /**
   * @returns the port, which the system chose for 0
   * @throws ConfigInvalidError naming PORT or HOST
   */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connections, and closes each open one once its request is answered. */
  stopAccepting(): void;
  /** Resolves when every request is answered; after `graceMs` the remaining connections are cut. */
  drained(graceMs: number): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A client has this long to send the head of a request. Who reads a body says how long that may take. */
const HEAD_TIMEOUT_MS = 60_000;

/** An answer that is still to be given, or is on its way. */
class OpenAnswer<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Linked<OpenAnswer>
{
  before: OpenAnswer | undefined = undefined;
  after: OpenAnswer | undefined = undefined;
}

/** @param limits clients that ask first (`Expect: 100-continue`) need not send more than this */
export function createHttpServer(handler: Handler, limits: BodyLimits): HttpServer {
  const open = new LinkedSet<OpenAnswer>();
  let closed: Promise<void> = Promise.resolve();
  // One function for all answers: it is told which one by `this`.
  const onClose = function (this: OpenAnswer): void {
    open.delete(this);
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  };
  const serve = (request: IncomingMessage, response: OpenAnswer) => {
    open.add(response);
    response.on('close', onClose);
    handler(request, response);
  };
  const server = createServer(
    { ServerResponse: OpenAnswer, requestTimeout: 0, headersTimeout: HEAD_TIMEOUT_MS },
    serve,
  );
  server.on('checkContinue', (request: IncomingMessage, response: OpenAnswer) => {
    if (mayContinue(request, limits)) response.writeContinue();
    serve(request, response);
  });
  return {
    listen: async (port, host) => {
      await listenOn(server, port, host);
      return (server.address() as AddressInfo).port;
    },
    stopAccepting: () => {
      for (const response of open) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      closed = closedPromise(server);
    },
    drained: (graceMs) => within(closed, graceMs, () => server.closeAllConnections()),
  };
}

function closedPromise(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function within(done: Promise<void>, graceMs: number, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, graceMs);
  await done;
  clearTimeout(timer);
}
