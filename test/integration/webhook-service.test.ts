import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { deliverWebhook } from '@warren/catalog';
import type { Jobs } from '@warren/client';
import { loadConfig, type Service } from '@warren/runtime';
import {
  eventually,
  type Installation,
  install,
  metricValue,
  quietTelemetry,
  type SeenHistory,
  seeHistory,
  unusedPort,
} from '@warren/testing';
import { createService, webhookSettings } from '@warren/webhook';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Program } from '../e2e/support/program.ts';

const [OLD, NEW, ACME] = [1, 2, 3].map(
  (fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`,
) as [string, string, string];
const ENDLESS_BYTES = 100 * 1024 * 1024;

interface Seen {
  readonly path: string;
  readonly host: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

let here: Installation;
let history: SeenHistory;
let jobs: Jobs;
let service: Service;
let telemetry: ReturnType<typeof quietTelemetry>;
let server: Server;
const seen: Seen[] = [];
/** Bytes that the endless answer had sent when its connection ended. */
let endlessSent: number | undefined;
let isAwayDown = true;
/** While it is, whoever asks it is not answered. */
let isSlow = true;
const slowAnswers: ServerResponse[] = [];
/** What `rebinds.test` stands for at present. */
let rebindsTo = '127.0.0.1';

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  here = await install([deliverWebhook], { history: true });
  history = seeHistory(here);
  telemetry = quietTelemetry('webhook');
  service = await startService();
  jobs = await here.connect();
});
afterAll(async () => {
  await service?.stop();
  await history?.close();
  await here?.dispose();
  server.closeAllConnections();
  server.close();
});

async function startService(env: Record<string, string> = {}): Promise<Service> {
  const config = loadConfig(webhookSettings, {
    AMQP_URL: here.url,
    WARREN_NAMESPACE: here.namespace,
    WEBHOOK_SECRETS: `default=${OLD},default=${NEW},acme=${ACME}`,
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_TIMEOUT_SECONDS: '2',
    ...env,
  });
  const started = createService(config, {
    ...telemetry,
    hostResetMs: 500,
    resolve: (host, done) => {
      const address = host === 'rebinds.test' ? rebindsTo : '127.0.0.1';
      done(null, [{ address, family: 4 }]);
    },
  });
  await started.start();
  await eventually('the service is ready', () => started.ready().ready);
  return started;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = '', headers } = request;
  const body = await text(request).catch(() => '');
  const host = String(headers.host).split(':')[0] ?? '';
  seen.push({ path, host, headers, body, atMs: Date.now() });
  answer(path, response);
}

function answer(path: string, response: ServerResponse): void {
  if (path === '/ok') response.writeHead(200).end('thanks');
  // Not kept, so that the name is looked up for the next one.
  else if (path === '/once') response.writeHead(200, { connection: 'close' }).end();
  else if (path === '/busy') {
    const isFirst = seen.filter((one) => one.path === path).length === 1;
    response.writeHead(isFirst ? 503 : 204, isFirst ? { 'retry-after': '1' } : {}).end();
  } else if (path === '/gone') response.writeHead(410).end();
  else if (path === '/slow' && isSlow) slowAnswers.push(response);
  else if (path === '/slow') response.writeHead(200).end();
  else if (path === '/away') response.writeHead(isAwayDown ? 500 : 200).end();
  else if (path === '/moved') {
    const isFirst = seen.filter((one) => one.path === path).length === 1;
    const location = isFirst ? 'http://169.254.169.254/latest/meta-data' : '/target';
    response.writeHead(302, { location }).end();
  } else if (path === '/endless') sendMuch(response);
  else if (path === '/drips') drip(response);
  else response.writeHead(404).end();
}

function sendMuch(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(200, { 'content-length': ENDLESS_BYTES });
  let left = ENDLESS_BYTES;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  response.once('close', () => {
    endlessSent = ENDLESS_BYTES - left;
  });
  more();
}

/** A head that never ends, a few bytes at a time. */
function drip({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\nx: ');
  const timer = setInterval(() => socket?.write('y'), 50);
  socket?.once('close', () => clearInterval(timer));
}

const portOf = () => (server.address() as AddressInfo).port;
const at = (path: string, host = 'a.test') => `http://${host}:${portOf()}${path}`;
async function deliver(url: string, own: object = {}): Promise<string> {
  const data = { orderId: 'A-1', customer: 'Zoë' };
  const payload = { url, eventType: 'order.placed', data, ...own };
  return (await jobs.publish(deliverWebhook, payload)).id;
}
const requestsOf = (path: string, host?: string) =>
  seen.filter((one) => one.path === path && (host === undefined || one.host === host));
async function resultOf(id: string): Promise<unknown> {
  const events = await history.until(id, 'succeeded');
  return JSON.parse(events.find((event) => event.kind === 'succeeded')?.result ?? 'null');
}
const attemptsOf = (id: string) =>
  history.of(id).flatMap((event) => (event.kind === 'started' ? [event.attempt] : []));
/** The error of a job's first failed attempt, which is to be tried again. */
const failureOf = (id: string) =>
  eventually(`${id} is retried`, () => {
    const retry = history.of(id).find((event) => event.kind === 'retrying');
    return retry?.kind === 'retrying' && retry.isSpent && (retry.error?.message ?? '');
  });
/** Why a job was given up. */
async function deathOf(id: string): Promise<string> {
  return JSON.stringify((await history.until(id, 'dead')).at(-1));
}

describe('the webhook service', () => {
  it('signs what it delivers, so that anybody with one of the secrets can verify it', async () => {
    const id = await deliver(at('/ok'));
    expect(await resultOf(id)).toEqual({
      status: 200,
      durationMs: expect.any(Number),
      response: 'thanks',
    });
    const [request] = requestsOf('/ok');
    const headers = { ...request?.headers } as Record<string, string>;
    expect(headers['webhook-id']).toBe(id);
    for (const secret of [OLD, NEW]) {
      expect(new Webhook(secret).verify(request?.body ?? '', headers)).toEqual({
        type: 'order.placed',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { orderId: 'A-1', customer: 'Zoë' },
      });
    }
    expect(() => new Webhook(ACME).verify(request?.body ?? '', headers)).toThrow();
    const said = JSON.stringify(telemetry.lines);
    for (const hidden of ['/ok', 'Zoë', 'whsec_']) expect(said).not.toContain(hidden);
  });

  it('is understood by the receiver of the documentation', async () => {
    const port = await unusedPort();
    const args = ['--import', 'tsx', 'test/meta/fixtures/webhook-receiver.ts'];
    const receiver = new Program(args, { PORT: String(port), WEBHOOK_SECRET: ACME });
    onTestFinished(async () => void (await receiver.stop()));
    await receiver.line(/^listening/);
    const url = `http://127.0.0.1:${port}/`;
    const [id, wrong] = [await deliver(url, { secret: 'acme' }), await deliver(url)];
    expect(await receiver.line(/order\.placed/)).toMatch(new RegExp(`^${id} .*"customer":"Zoë"`));
    expect(await failureOf(wrong)).toContain('answered 401');
    expect(receiver.stdout).not.toContain(wrong);
  });

  it('comes back when a busy endpoint says so, under the same id', async () => {
    const id = await deliver(at('/busy'), { id: 'evt_7' });
    expect(await resultOf(id)).toMatchObject({ status: 204 });
    expect(attemptsOf(id)).toEqual([1, 2]);
    const [first, second] = requestsOf('/busy');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect([first, second].map((one) => one?.headers['webhook-id'])).toEqual(['evt_7', 'evt_7']);
    expect(second?.body).toBe(first?.body);
  });

  it('gives up what can never be delivered, and says why', async () => {
    const dead = {
      [await deliver(at('/gone'))]: 'answered 410: the endpoint is gone, disable it',
      [await deliver('http://10.0.0.1/')]: '10.0.0.1 is not at a public address',
      [await deliver('http://[::ffff:169.254.169.254]/')]: 'is not at a public address',
      [await deliver(at('/ok'), { secret: 'nobody' })]: 'there is no secret \\"nobody\\"',
    };
    for (const [id, reason] of Object.entries(dead)) {
      expect(await deathOf(id)).toContain(reason);
      expect(attemptsOf(id)).toEqual([1]);
    }
    const queue = here.topology.names.deadQueue(deliverWebhook.type);
    await eventually(
      'all are dead letters',
      async () => (await here.admin.depth(queue)) === Object.keys(dead).length,
    );
    expect(requestsOf('/gone')).toHaveLength(1);
  });

  it('follows no redirect, wherever it leads', async () => {
    const [first, second] = [await deliver(at('/moved')), await deliver(at('/moved'))];
    for (const id of [first, second]) {
      expect(await failureOf(id)).toContain('answered 302: redirects are not followed');
    }
    expect(requestsOf('/target')).toEqual([]);
  });

  it('refuses a name that has come to stand for a private address', async () => {
    expect(await resultOf(await deliver(at('/once', 'rebinds.test')))).toMatchObject({
      status: 200,
    });
    rebindsTo = '169.254.169.254';
    const reason = await deathOf(await deliver(at('/once', 'rebinds.test')));
    expect(reason).toContain(`rebinds.test:${portOf()} is not at a public address`);
    expect(requestsOf('/once')).toHaveLength(1);
  });

  it('reads no more of 100 MiB than it may, and cuts off a head that drips', async () => {
    const [endless, drips] = [await deliver(at('/endless')), await deliver(at('/drips'))];
    expect(await resultOf(endless)).toMatchObject({ status: 200, response: 'x'.repeat(1_024) });
    await eventually('the connection is given up', () => endlessSent !== undefined);
    expect(endlessSent).toBeLessThan(ENDLESS_BYTES / 2);
    expect(await failureOf(drips)).toContain('did not answer within 2000 ms');
  });

  it('lets jobs of a host that is away wait, unspent, while those of others are delivered', async () => {
    const circuit = () =>
      service.breakers?.()[0]?.circuits.find(({ key }) => key === `away.test:${portOf()}`);
    await Promise.all(Array.from({ length: 10 }, () => deliver(at('/away', 'away.test'))));
    await eventually('its circuit is open', () => circuit()?.state === 'open');
    const waiting = await Promise.all(
      Array.from({ length: 15 }, () => deliver(at('/away', 'away.test'))),
    );
    const others = await Promise.all(
      Array.from({ length: 15 }, () => deliver(at('/ok', 'b.test'))),
    );
    await Promise.all(others.map((id) => history.until(id, 'succeeded')));
    expect(requestsOf('/ok', 'b.test')).toHaveLength(15);
    const tried = requestsOf('/away').length;
    await eventually(
      'it is tried again, and is still away',
      () => requestsOf('/away').length > tried,
    );
    isAwayDown = false;
    await Promise.all(waiting.map((id) => history.until(id, 'succeeded')));
    // Not one attempt was spent by waiting, nor by being the one that was tried.
    for (const id of waiting) expect(new Set(attemptsOf(id))).toEqual(new Set([1]));
  });

  // This one and the next begin the service anew.
  it('leaves slots to other hosts while one is slow, and delivers what waited, unspent', async () => {
    await service.stop();
    service = await startService({
      WEBHOOK_TIMEOUT_SECONDS: '50',
      WEBHOOK_HOST_CONCURRENCY: '3',
      // What hangs from before need not be waited for.
      SHUTDOWN_GRACE_SECONDS: '1',
    });
    // More than there are slots.
    const slow = await Promise.all(
      Array.from({ length: 30 }, () => deliver(at('/slow', 'slow.test'))),
    );
    await eventually('the slow host has as many as it may', () => slowAnswers.length === 3);
    const others = await Promise.all(
      Array.from({ length: 5 }, (_one, place) => deliver(at('/ok', `quick${place}.test`))),
    );
    await Promise.all(others.map((id) => history.until(id, 'succeeded')));
    expect(requestsOf('/slow')).toHaveLength(3);
    isSlow = false;
    for (const response of slowAnswers) response.writeHead(200).end();
    await Promise.all(slow.map((id) => history.until(id, 'succeeded')));
    for (const id of slow) expect(attemptsOf(id)).toEqual([1]);
  });

  it('lets jobs over the rate of their host wait, unspent, while those of others are delivered', async () => {
    await service.stop();
    service = await startService({ WEBHOOK_HOST_RATE: '1' });
    const limited = await Promise.all(
      Array.from({ length: 60 }, () => deliver(at('/ok', 'limited.test'))),
    );
    const others = await Promise.all(
      Array.from({ length: 5 }, (_one, place) => deliver(at('/ok', `other${place}.test`))),
    );
    await Promise.all(others.map((id) => history.until(id, 'succeeded')));
    await eventually('its host is asked again', () => requestsOf('/ok', 'limited.test').length > 1);
    // All of them would take a minute.
    expect(requestsOf('/ok', 'limited.test').length).toBeLessThan(limited.length);
    for (const id of limited) expect(attemptsOf(id).filter((attempt) => attempt > 1)).toEqual([]);
    const counted = { limiter: 'webhook-host' };
    expect(
      await metricValue(telemetry.metrics, 'jobs_rate_limited_total', counted),
    ).toBeGreaterThan(0);
  });
});
