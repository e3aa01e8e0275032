import { catalog, sendEmail } from '@warren/catalog';
import { NonRetryableError } from '@warren/contracts';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { type ApiScope, loadConfig, newApiKey, type Service } from '@warren/runtime';
import {
  deleteNamespace,
  eventually,
  openStoreBench,
  quietTelemetry,
  sharedBrokerUrl,
} from '@warren/testing';
import { createService as createTracker, trackerSettings } from '@warren/tracker';
import { createWorker, handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';

const newKey = (name: string, ...scopes: readonly ApiScope[]) => newApiKey(name, scopes);
const shop = newKey('shop', 'publish', 'read');
const nextShop = newKey('shop', 'publish');
const ops = newKey('ops', 'admin');
/** As the audit has it. */
const BY_OPS = expect.stringMatching(/^ops \(http [0-9a-f.:]+\)$/);

let bench: Awaited<ReturnType<typeof openStoreBench>>;
let url: string;
let worker: Worker;
let mayLive = false;
const services: Service[] = [];

/** Does what the subject says. */
const run: Parameters<typeof handle<typeof sendEmail>>[1] = async (
  { payload: { subject } },
  { signal },
) => {
  if (subject === 'die' && !mayLive) throw new NonRetryableError('no such address');
  if (subject !== 'hang') return;
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
};

beforeAll(async () => {
  bench = await openStoreBench();
  const { namespace, store } = bench;
  const telemetry = quietTelemetry();
  const env = {
    AMQP_URL: sharedBrokerUrl(),
    WARREN_NAMESPACE: namespace,
    PORT: '0',
    // Other machines reach it.
    HOST: '0.0.0.0',
    WARREN_API_KEYS: [shop, nextShop, ops].map(({ entry }) => entry).join(),
  };
  const gateway = createGateway(loadConfig(gatewaySettings, env), { ...telemetry, store });
  const tracker = createTracker(loadConfig(trackerSettings, env), { ...telemetry, store });
  services.push(gateway, tracker);
  await Promise.all(services.map((service) => service.start()));
  worker = createWorker({
    connection: { urls: [sharedBrokerUrl()] },
    service: 'test',
    namespace,
    handlers: [handle(sendEmail, run, { concurrency: 4 })],
    history: true,
    ...quietTelemetry(),
  });
  await worker.start();
  await eventually('all are ready', () =>
    [gateway.ready(), tracker.ready(), worker.readiness()].every(({ ready }) => ready),
  );
  url = gateway.url() ?? '';
});
afterAll(async () => {
  await worker?.stop();
  for (const service of services) await service.stop();
  const types = catalog.map(({ type }) => type);
  await deleteNamespace(sharedBrokerUrl(), bench.namespace, types);
  await bench?.dispose();
});

async function call(method: string, path: string, key?: string, sent?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function post(subject: string, key = shop.key): Promise<string> {
  const payload = { to: 'a@example.org', subject, text: 'x' };
  const { status, body } = await call('POST', '/v1/jobs', key, { type: 'email.send', payload });
  expect(status, JSON.stringify(body)).toBe(202);
  return String(body['id']);
}

const inState = (id: string, state: string) =>
  eventually(`${id} is ${state}`, async () => {
    const { body } = await call('GET', `/v1/jobs/${id}`, shop.key);
    return body['state'] === state && body;
  });

it('a publisher follows its own job, with a key that it changes meanwhile', async () => {
  const id = await post('live', nextShop.key);
  await inState(id, 'succeeded');
  const headers = { authorization: `Bearer ${shop.key}` };
  const followed = await fetch(`${url}/v1/jobs/${id}/events`, { headers });
  expect(await followed.text()).toContain('event: state');
  for (const path of [`/v1/jobs/${id}/events`, '/v1/events-stream']) {
    expect(await call('GET', path)).toMatchObject({ status: 401 });
    expect(await call('GET', path, nextShop.key)).toMatchObject({
      status: 403,
      body: { code: 'SCOPE_MISSING' },
    });
  }
});

it('the audit, the job and the ledger say by name who changed what, and nobody else may', async () => {
  const dead = await post('die');
  const hangs = await post('hang');
  await inState(dead, 'dead');
  await inState(hangs, 'running');
  const changes: [string, string, unknown?][] = [
    ['POST', '/v1/queues/email.send/pause'],
    ['POST', '/v1/queues/email.send/resume'],
    ['PUT', '/v1/queues/email.send/concurrency', { concurrency: 5 }],
    ['DELETE', '/v1/queues/email.send/concurrency'],
    ['PUT', '/v1/breakers/smtp', { state: 'open' }],
    ['PUT', '/v1/breakers/smtp', { state: 'auto' }],
    ['DELETE', `/v1/jobs/${hangs}`],
    ['POST', `/v1/jobs/${dead}/retry`],
  ];
  for (const [method, path, sent] of changes) {
    expect(await call(method, path, undefined, sent), path).toMatchObject({ status: 401 });
    expect(await call(method, path, shop.key, sent), path).toMatchObject({ status: 403 });
  }
  const audit = async () => (await bench.store.audit.list({ limit: 50 })).items;
  expect(await audit()).toEqual([]);
  mayLive = true;
  for (const [method, path, sent] of changes) {
    const { status, body } = await call(method, path, ops.key, sent);
    expect([200, 202], `${path}: ${JSON.stringify(body)}`).toContain(status);
  }
  expect(await inState(hangs, 'cancelled')).toMatchObject({ reason: BY_OPS });
  await inState(dead, 'succeeded');
  const replay = { queue: 'email.send', reason: 'it is back' };
  const begun = await call('POST', '/v1/replays', ops.key, replay);
  expect(begun).toMatchObject({ status: 202, body: { by: BY_OPS } });
  const written = await audit();
  expect(written.length).toBeGreaterThanOrEqual(changes.length + 1);
  for (const { actor } of written) expect(actor).toEqual(BY_OPS);
  expect(written.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['job.cancel', 'job.retry', 'dead.replay']),
  );
});
