import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { Networks, publicAddresses, type Resolve } from '@warren/outbound';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeliveryError } from '../domain/delivery-error.ts';
import { type EndpointServer, endless, says, serveEndpoints } from '../fixtures/endpoint-server.ts';
import { createDeliverer, type DelivererOptions } from './deliverer.ts';

const loopback = Networks.parse('127.0.0.0/8');

let server: EndpointServer;
beforeAll(async () => {
  server = await serveEndpoints({
    '/ok': says(200, 'thanks'),
    '/empty': says(204),
    '/long': says(201, `é${'x'.repeat(1_021)}éé`),
    '/odd': says(200, 'a\u001b[31mb\u0000c\nd'),
    '/packed': says(200, 'not shown', { 'content-encoding': 'gzip' }),
    '/endless': endless,
    '/stalls': (response) => void response.writeHead(200).write('half'),
    '/breaks': (response) => {
      response.writeHead(200, { 'content-length': '9000' });
      response.write('half', () => response.destroy());
    },
    '/silent': () => undefined,
    '/dies': (response) => void response.destroy(),
    '/moved': says(302, '', { location: 'http://169.254.169.254/latest/meta-data' }),
    '/moved-here': (response) => says(307, '', { location: '/ok' })(response, response.req),
    '/gone': says(410),
    '/busy': says(503, '', { 'retry-after': '7' }),
    '/down': says(500),
    '/headers': (response) => void response.writeHead(200, { x: 'y'.repeat(40_000) }).end(),
  });
});
afterAll(() => server.close());

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function delivererOf(own: Partial<DelivererOptions> = {}) {
  const deliverer = createDeliverer({
    mayAsk: publicAddresses(loopback),
    allowHttp: true,
    timeoutMs: 30_000,
    ...own,
  });
  closing.push(() => deliverer.close());
  return deliverer;
}

function post(
  url: string,
  own: Partial<DelivererOptions> = {},
  signal = new AbortController().signal,
) {
  return delivererOf(own).deliver({ url, headers: { 'webhook-id': 'msg_1' }, body: '{}' }, signal);
}
const failureOf = (delivery: Promise<unknown>) => delivery.catch((error: unknown) => error);

describe('a delivery', () => {
  it('is a POST of JSON with the headers that it is given', async () => {
    expect(await post(server.url('/ok'))).toEqual({
      status: 200,
      durationMs: expect.any(Number),
      response: 'thanks',
    });
    expect(server.seen.at(-1)).toMatchObject({
      method: 'POST',
      body: '{}',
      headers: {
        'webhook-id': 'msg_1',
        'content-type': 'application/json',
        'content-length': '2',
        'user-agent': 'warren-webhook',
      },
    });
  });

  it.each([
    ['/empty', ''],
    ['/long', `é${'x'.repeat(1_021)}`],
    ['/odd', 'a\ufffd[31mb\ufffdc\nd'],
    ['/packed', ''],
    ['/breaks', 'half'],
  ])('keeps of what %s answers what can be shown', async (path, response) => {
    expect(await post(server.url(path))).toMatchObject({ response });
  });

  it('reads no more of an endless answer than it may, and hangs up', async () => {
    const before = server.sockets.length;
    const { response } = await post(server.url('/endless'));
    expect(response).toBe('x'.repeat(1_024));
    await vi.waitFor(() => expect(server.sockets[before]?.destroyed).toBe(true));
  });

  it('keeps the connection to a host for the next one', async () => {
    const deliverer = delivererOf();
    const before = server.sockets.length;
    const { signal } = new AbortController();
    const delivery = { url: server.url('/ok'), headers: {}, body: '{}' };
    await deliverer.deliver(delivery, signal);
    await deliverer.deliver(delivery, signal);
    expect(server.sockets).toHaveLength(before + 1);
  });

  it.each([
    ['/moved', 'answered 302: redirects are not followed'],
    ['/moved-here', 'answered 307: redirects are not followed'],
    ['/down', 'answered 500'],
    ['/unknown', 'answered 404'],
    ['/dies', 'could not be asked: ECONNRESET'],
    ['/headers', 'could not be asked: HPE_HEADER_OVERFLOW'],
  ])('to %s fails for now', async (path, problem) => {
    const before = server.seen.length;
    const failure = await failureOf(post(server.url(path)));
    expect(failure).toBeInstanceOf(DeliveryError);
    expect(String(failure)).toContain(`webhook: 127.0.0.1:${server.port} ${problem}`);
    expect(String(failure)).not.toContain(path);
    expect(server.seen.slice(before).map((one) => one.path)).toEqual([path]);
  });

  it('to an endpoint that is gone fails for good; one that names a time is waited for', async () => {
    expect(await failureOf(post(server.url('/gone')))).toBeInstanceOf(NonRetryableError);
    const busy = await failureOf(post(server.url('/busy')));
    expect(busy).toBeInstanceOf(RetryAfterError);
    expect(busy).toMatchObject({ delayMs: 7_000 });
  });

  it('is given up when nothing is answered in time', async () => {
    const failure = await failureOf(post(server.url('/silent'), { timeoutMs: 50 }));
    expect(failure).toBeInstanceOf(DeliveryError);
    expect(String(failure)).toContain('did not answer within 50 ms');
  });

  it('is given up when the head of an answer drips', async () => {
    const drips = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('y'), 10);
      socket.once('close', () => clearInterval(timer));
      socket.write('HTTP/1.1 200 OK\r\nx: ');
    });
    drips.listen(0, '127.0.0.1');
    await once(drips, 'listening');
    onTestFinished(() => void drips.close());
    const { port } = drips.address() as AddressInfo;
    const failure = await failureOf(post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }));
    expect(String(failure)).toContain('did not answer within 200 ms');
  });

  it('stops when it is told, with the reason', async () => {
    const stop = new AbortController();
    const before = server.seen.length;
    const delivery = post(server.url('/silent'), {}, stop.signal);
    await vi.waitFor(() => expect(server.seen).toHaveLength(before + 1));
    stop.abort(new Error('enough'));
    await expect(delivery).rejects.toThrow('enough');
    await expect(post(server.url('/ok'), {}, stop.signal)).rejects.toThrow('enough');
  });
});

describe('what may not be asked', () => {
  const mayAsk = publicAddresses();

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.01', '[::ffff:127.0.0.1]', 'localhost'])(
    'is refused for good and never connected to: %s',
    async (host) => {
      const before = server.sockets.length;
      const failure = await failureOf(post(server.url('/ok', host), { mayAsk }));
      expect(failure).toBeInstanceOf(NonRetryableError);
      expect(String(failure)).toContain('is not at a public address (WEBHOOK_ALLOW_NETWORKS');
      expect(server.sockets).toHaveLength(before);
    },
  );

  it('is what a name stands for at this very attempt, and any one of its addresses', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1']];
    const resolve: Resolve = (_host, done) =>
      done(
        null,
        (answers.shift() ?? []).map((address) => ({ address, family: 4 })),
      );
    const url = server.url('/ok', 'rebinds.test');
    const before = server.sockets.length;
    expect(await post(url, { resolve })).toMatchObject({ status: 200 });
    for (const _ of ['moved', 'mixed']) {
      const failure = await failureOf(post(url, { resolve }));
      expect(failure).toBeInstanceOf(NonRetryableError);
      expect(String(failure)).toContain(`rebinds.test:${server.port} is not at a public address`);
    }
    expect(server.sockets).toHaveLength(before + 1);
    expect(await post(url, { resolve })).toMatchObject({ status: 200 });
  });

  it('is http, unless that is allowed', async () => {
    await expect(post(server.url('/ok'), { allowHttp: false })).rejects.toThrow('not https');
  });

  it('a name that is unknown may be known later', async () => {
    const resolve: Resolve = (_, done) =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    const failure = await failureOf(post('http://nobody.test/', { resolve }));
    expect(failure).toBeInstanceOf(DeliveryError);
    expect(String(failure)).toContain('nobody.test could not be asked: ENOTFOUND');
  });
});
