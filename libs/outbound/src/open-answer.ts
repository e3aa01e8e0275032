import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';

export interface OpenAnswerOptions {
  readonly headers: OutgoingHttpHeaders;
  /** Sent with POST. Without one it is a GET. */
  readonly body?: string | undefined;
  /** Finds the addresses of names: see `guardedLookup`. Default: by DNS, whatever they are. */
  readonly lookup?: LookupFunction | undefined;
  /** For name, connection and TLS together. */
  readonly connectTimeoutMs: number;
  /** Keeps connections. Default: each request has one of its own. */
  readonly agent?: Agent | undefined;
  readonly signal: AbortSignal;
}

/** What a kept connection fails with that the other side has closed meanwhile. */
const CLOSED: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/** There was no connection in time. */
export class ConnectTimeoutError extends Error {
  constructor(connectTimeoutMs: number) {
    super(`no connection within ${connectTimeoutMs} ms`);
    this.name = 'ConnectTimeoutError';
  }
}

/**
 * Asks for one URL. Resolves with the head of the answer, whatever it says; follows nothing, and unpacks nothing. The answer
 * has to be read or destroyed. Where a kept connection turns out to be closed, it asks again over one of its own: of a
 * request that is posted, the other side may have seen the first.
 * @throws ConnectTimeoutError, ForbiddenAddressError, the signal's AbortError, errors of sockets
 */
export async function openAnswer(url: URL, options: OpenAnswerOptions): Promise<IncomingMessage> {
  const request = requestFor(url, options);
  try {
    return await answerOf(request, url, options);
  } catch (error) {
    if (!request.reusedSocket || !CLOSED.includes(Object(error).code)) throw error;
    const { agent: _, ...own } = options;
    return answerOf(requestFor(url, own), url, own);
  }
}

function requestFor(url: URL, options: OpenAnswerOptions): ClientRequest {
  const { headers, body, lookup, agent = false, signal } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const settings = { method, agent, headers, signal, ...(lookup && { lookup }) };
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(url, settings);
}

function answerOf(
  request: ClientRequest,
  url: URL,
  { body, connectTimeoutMs }: OpenAnswerOptions,
): Promise<IncomingMessage> {
  const timer = setTimeout(() => {
    request.destroy(new ConnectTimeoutError(connectTimeoutMs));
  }, connectTimeoutMs);
  request.once('socket', (socket: Socket) => {
    if (request.reusedSocket) return clearTimeout(timer);
    const isConnected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once(isConnected, () => clearTimeout(timer));
  });
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Not once: it can fail again while the body is read, which the reader of the body is told of.
    request.on('error', reject);
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}
