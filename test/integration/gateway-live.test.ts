import { catalog, sendEmail } from '@warren/catalog';
import { NonRetryableError, newJobId } from '@warren/contracts';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig, type Service } from '@warren/runtime';
import {
  deleteNamespace,
  eventually,
  Gate,
  metricValue,
  openStoreBench,
  quietTelemetry,
  sharedBrokerUrl,
} from '@warren/testing';
import { createService as createTracker, trackerSettings } from '@warren/tracker';
import { createWorker, handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let bench: Awaited<ReturnType<typeof openStoreBench>>;
let url: string;
let worker: Worker;
const workerTelemetry = quietTelemetry();
const services: Service[] = [];
/** Handlers do what the subject says. */
let gate = new Gate();
let mayLive = false;

beforeAll(async () => {
  bench = await openStoreBench();
  const { namespace, store } = bench;
  const telemetry = quietTelemetry();
  const env = { AMQP_URL: sharedBrokerUrl(), WARREN_NAMESPACE: namespace, PORT: '0' };
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
    ...workerTelemetry,
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
  await deleteNamespace(
    sharedBrokerUrl(),
    bench.namespace,
    catalog.map(({ type }) => type),
  );
  await bench?.dispose();
});

const run: Parameters<typeof handle<typeof sendEmail>>[1] = async (
  { payload: { subject } },
  ctx,
) => {
  if (subject === 'die' && !mayLive) throw new NonRetryableError('no such address');
  if (subject === 'hang') {
    await new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
    });
  }
  if (subject === 'wait') await gate.opened;
  ctx.progress(0.5, 'half');
  ctx.log.info('halfway');
  return { subject };
};

async function post(subject: string): Promise<string> {
  const payload = { to: 'a@example.org', subject, text: 'x' };
  const response = await fetch(`${url}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'email.send', payload }),
  });
  return ((await response.json()) as { id: string }).id;
}

async function call(path: string, method = 'GET') {
  const response = await fetch(`${url}${path}`, { method });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Reads server-sent events until `isEnough`, or their end. */
async function follow(path: string, isEnough = (_: string) => false, lastId?: string) {
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
  const stop = new AbortController();
  const response = await fetch(`${url}${path}`, { headers, signal: stop.signal });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (isEnough(text)) break;
  }
  stop.abort();
  return {
    status: response.status,
    text,
    kinds: [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind),
  };
}

describe('what happens to a job', () => {
  it('is told as it happens, waited for, and told again to whoever comes back', async () => {
    gate = new Gate();
    const id = await post('wait');
    const all = follow('/v1/events-stream?type=email.send', (text) =>
      text.includes('event: succeeded'),
    );
    const own = follow(`/v1/jobs/${id}/events`);
    await eventually(
      'it runs',
      async () => (await call(`/v1/jobs/${id}`)).body['state'] === 'running',
    );
    const waited = call(`/v1/jobs/${id}?wait=30s`);
    gate.open();
    expect((await waited).body).toMatchObject({
      state: 'succeeded',
      result: { subject: 'wait' },
      progress: { fraction: 0.5, message: 'half' },
      attempts: [{ attempt: 1, outcome: 'succeeded' }],
    });
    const { kinds, text } = await own;
    expect(kinds).toEqual(expect.arrayContaining(['state', 'progress', 'log', 'succeeded']));
    expect(kinds.at(-1)).toBe('state');
    expect((await all).kinds).toEqual(expect.arrayContaining(['open', 'progress', 'succeeded']));
    const lastId = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '';
    expect(lastId).not.toBe('');
    // An EventSource would come back for ever.
    expect((await follow(`/v1/jobs/${id}/events`, undefined, lastId)).status).toBe(204);
    const again = await follow('/v1/events-stream', (seen) => seen.includes('succeeded'), '0');
    expect(again.text).toContain(id);
    const { body } = await call(`/v1/jobs/${id}/log`);
    expect(body['lines']).toMatchObject([{ level: 'info', message: 'halfway' }]);
  });

  it('ends when it is cancelled', async () => {
    const id = await post('hang');
    await eventually(
      'it runs',
      async () => (await call(`/v1/jobs/${id}`)).body['state'] === 'running',
    );
    expect(await call(`/v1/jobs/${id}`, 'DELETE')).toMatchObject({ status: 202 });
    expect((await call(`/v1/jobs/${id}?wait=30s`)).body['state']).toBe('cancelled');
    const again = await call(`/v1/jobs/${id}`, 'DELETE');
    expect([again.status, again.body['code']]).toEqual([409, 'JOB_STATE_CONFLICT']);
  });

  it('goes on after it was dead, once somebody asks for it', async () => {
    const others = await Promise.all([post('die'), post('die')]);
    const id = await post('die');
    for (const one of [...others, id]) {
      expect((await call(`/v1/jobs/${one}?wait=30s`)).body['state']).toBe('dead');
    }
    mayLive = true;
    const retried = await call(`/v1/jobs/${id}/retry`, 'POST');
    expect(retried).toMatchObject({ status: 202, body: { state: 'queued', generation: 1 } });
    expect((await call(`/v1/jobs/${id}?wait=30s`)).body).toMatchObject({
      state: 'succeeded',
      generation: 1,
    });
    const report = await eventually('the others are back', async () => {
      const { body } = await call('/v1/queues/email.send');
      return body['dead'] === 2 && body;
    });
    expect(report).toMatchObject({ health: 'healthy', paused: false, consumers: 1 });
    expect((await call(`/v1/jobs/${id}/retry`, 'POST')).status).toBe(409);
  });

  it('runs as many at once as is set over HTTP, until it is taken back', async () => {
    const path = '/v1/queues/email.send';
    const put = await fetch(`${url}${path}/concurrency`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"concurrency":33}',
    });
    expect(put.status).toBe(200);
    const limit = () =>
      metricValue(workerTelemetry.metrics, 'jobs_concurrency', {
        queue: `${bench.namespace}.email.send`,
      });
    await eventually('the worker has heard it', async () => (await limit()) === 33);
    expect((await call(path)).body).toMatchObject({ set: { concurrency: 33 } });
    expect(await call(`${path}/concurrency`, 'DELETE')).toMatchObject({ status: 200 });
    await eventually('the worker has heard that too', async () => (await limit()) !== 33);
    expect((await call(path)).body).not.toHaveProperty('set');
  });

  it('is seen under its lease where it is a long one, until that ends', async () => {
    const { leases } = bench.store;
    const message = {
      id: newJobId(),
      exchange: 'jobs.due',
      routingKey: `${bench.namespace}.email.send`,
      body: Buffer.from('{}'),
      properties: {},
    };
    const job = {
      queue: 'email.send',
      owner: 'w',
      request: 'r',
      generation: 0,
      attempt: 1,
      message,
    };
    const figures = async () => {
      const { leased, expiredLeases } = (await call('/v1/queues/email.send')).body;
      return [leased, expiredLeases];
    };
    expect(await figures()).toEqual([0, 0]);
    const take = await leases.take({ ...job, leaseMs: 3_600_000 });
    const key = { queue: job.queue, id: message.id, token: take.kind === 'taken' ? take.token : 0 };
    expect(await figures()).toEqual([1, 0]);
    await leases.renew({ ...key, leaseMs: 1 });
    await eventually('it has expired', async () => (await figures()).join() === '0,1');
    await leases.ended(key);
    expect(await figures()).toEqual([0, 0]);
  });

  it('waits while its queue is paused, without an attempt', async () => {
    expect(await call('/v1/queues/email.send/pause', 'POST')).toMatchObject({ status: 200 });
    await eventually('nobody consumes', async () => {
      const { body } = await call('/v1/queues/email.send');
      return body['consumers'] === 0 && body['paused'] === true;
    });
    const id = await post('soon');
    await eventually(
      'it waits',
      async () => (await call('/v1/queues/email.send')).body['ready'] === 1,
    );
    expect((await call('/v1/queues/nobody/pause', 'POST')).status).toBe(404);
    await call('/v1/queues/email.send/resume', 'POST');
    expect((await call(`/v1/jobs/${id}?wait=30s`)).body).toMatchObject({
      state: 'succeeded',
      attempt: 1,
    });
  });
});
