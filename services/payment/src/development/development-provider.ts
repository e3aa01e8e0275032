import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigInvalidError } from '@warren/contracts';
import { ChargeBook } from './charge-book.ts';

/** A payment provider for development: it charges nobody, and shows on a page whom it would have. Loopback only. */
export interface DevelopmentProvider {
  /**
   * @returns for PAYMENT_PROVIDER_URL
   * @throws ConfigInvalidError naming PAYMENT_DEV_PORT
   */
  start(): Promise<string>;
  /** Safe before and without a start. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_REQUEST_BYTES = 64 * 1024;
const KEPT_CHARGES = 500;

export function createDevelopmentProvider(port: number): DevelopmentProvider {
  const book = new ChargeBook(KEPT_CHARGES);
  const server = createServer((request, response) => {
    answer(book, request, response).catch(() => response.destroy());
  });
  return {
    async start() {
      await listen(server, port);
      return `http://${HOST}:${(server.address() as AddressInfo).port}`;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  book: ChargeBook,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url, headers } = request;
  if (method === 'GET' && (url === '/charges' || url === '/'))
    return send(response, 200, book.list());
  if (method !== 'POST' || url !== '/charges') return send(response, 404, { code: 'not_found' });
  const body = await jsonOf(request);
  const {
    status,
    retryAfterSeconds,
    body: said,
  } = book.charge(headers['idempotency-key']?.toString(), body, Date.now());
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  send(response, status, said);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body, undefined, 2)}\n`);
}

/** Undefined for what is no JSON, or too long. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_REQUEST_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    // Rejects with the server's error event.
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const problem = code === 'EACCES' ? 'may not be used by this process' : 'is already in use';
    throw new ConfigInvalidError('PAYMENT_DEV_PORT', `port ${port} of ${HOST} ${problem}`);
  }
}
