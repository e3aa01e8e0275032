import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PaymentError } from '../domain/payment-error.ts';
import { createProviderClient } from './provider-client.ts';

const request = { orderId: 'A-1', amount: 1999, currency: 'EUR', customer: 'cus_1' };

type Answerer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Asks a provider that answers so. */
async function ask(
  listener: Answerer,
  { timeoutMs = 5_000, signal = new AbortController().signal, path = '' } = {},
) {
  const server = createServer((...exchange) => void listener(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return createProviderClient({ url, key: 'sk_hush', timeoutMs })(request, 'job-1', signal);
}

describe('the client of the provider', () => {
  it.each(['', '/', '/v1', '/v1/'])('posts the charge under its key, below %j', async (path) => {
    const seen: unknown[] = [];
    const charged = await ask(
      async (incoming, response) => {
        let body = '';
        for await (const chunk of incoming) body += String(chunk);
        const { authorization, 'idempotency-key': key } = incoming.headers;
        seen.push(incoming.method, incoming.url, authorization, key, JSON.parse(body));
        response.writeHead(201).end('{"id":"ch_1"}');
      },
      { path },
    );
    expect(charged).toMatchObject({ chargeId: 'ch_1', amount: 1999 });
    const target = `${path.replace(/\/$/, '')}/charges`;
    expect(seen).toEqual(['POST', target, 'Bearer sk_hush', 'job-1', request]);
  });

  it('goes by the status where the body of a refusal does not come', async () => {
    const cut: Answerer = (_, response) => {
      response.writeHead(402, { 'content-length': '100' });
      response.write('{"code":');
      setImmediate(() => response.destroy());
    };
    await expect(ask(cut)).rejects.toThrow(NonRetryableError);
    const busy: Answerer = (_, response) =>
      void response.writeHead(503, { 'retry-after': '4' }).end('<html>');
    await expect(ask(busy)).rejects.toMatchObject({ delayMs: 4_000 });
    await expect(ask(busy)).rejects.toThrow(RetryAfterError);
  });

  it.each<[string, Answerer, RegExp]>([
    ['dies in mid-request', (_, response) => response.destroy(), /no answer: \w+; whether/],
    [
      'dies in mid-answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id":"ch_1"');
        setImmediate(() => response.destroy());
      },
      /no answer: [\w ]+; whether/,
    ],
    ['does not answer', () => {}, /no answer within 200 ms; whether/],
    ['stalls', (_, response) => void response.write('{'), /no answer within 200 ms; whether/],
    ['talks on and on', (_, response) => void response.end('x'.repeat(70_000)), /too long/],
    [
      'sends elsewhere',
      (_, response) => void response.writeHead(307, { location: '/' }).end(),
      /307/,
    ],
  ])('leaves it to another attempt where the provider %s', async (_, listener, problem) => {
    const asking = ask(listener, { timeoutMs: 200 });
    await expect(asking).rejects.toThrow(PaymentError);
    await expect(asking).rejects.toThrow(problem);
    await expect(asking).rejects.not.toThrow(/127\.0\.0\.1|hush|cus_1/);
  });

  it('leaves it to another attempt where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await once(server, 'close');
    const client = createProviderClient({ url, key: 'k', timeoutMs: 5_000 });
    const asking = client(request, 'job-1', new AbortController().signal);
    await expect(asking).rejects.toThrow(/^payment: no answer: ECONNREFUSED; whether/);
  });

  it('stops when it is told to, with the reason', async () => {
    const stop = new AbortController();
    const reason = new Error('shutting down');
    const listener = () => stop.abort(reason);
    await expect(ask(listener, { signal: stop.signal })).rejects.toBe(reason);
  });
});
