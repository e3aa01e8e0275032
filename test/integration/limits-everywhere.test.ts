import { catalog } from '@warren/catalog';
import { defineJob } from '@warren/contracts';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig } from '@warren/runtime';
import {
  deleteNamespace,
  eventually,
  type Installation,
  install,
  openStoreBench,
  quietTelemetry,
  sharedDatabaseUrl,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

/** One start in an hour: the rest waits until an operator says otherwise. */
const job = defineJob({
  type: 'probe.call',
  schema: z.object({}),
  limit: { rate: 1, per: '1h', name: 'crm' },
});

let here: Installation;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
let gateway: ReturnType<typeof createGateway>;

beforeAll(async () => {
  here = await install([job], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  const deps = { ...quietTelemetry(), store: bench.store };
  gateway = createGateway(loadConfig(gatewaySettings, env), deps);
  await gateway.start();
  await eventually('the gateway is ready', () => gateway.ready().ready);
});
afterAll(async () => {
  await gateway.stop();
  await here.dispose();
  const queues = catalog.map(({ type }) => type);
  await deleteNamespace(here.url, here.namespace, queues);
  await bench.dispose();
});

interface Answer {
  readonly limits: readonly { readonly name: string; readonly definitions: readonly unknown[] }[];
}
async function call(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const sent = body !== undefined && { headers, body: JSON.stringify(body) };
  const response = await fetch(`${gateway.url()}${path}`, { method, ...sent });
  return [response.status, (await response.json()) as Answer] as const;
}
const warren = (...args: string[]) =>
  runCommand(['limits', ...args], {
    env: {
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      DATABASE_URL: sharedDatabaseUrl(),
    },
    jobs: [job],
  });

it('shows what workers may start, and changes it while they run', {
  timeout: 120_000,
}, async () => {
  let ran = 0;
  const count = () => {
    ran += 1;
  };
  await here.work([handle(job, count)], { limits: bench.store.limits });
  const jobs = await here.connect();
  for (let n = 0; n < 4; n += 1) await jobs.publish(job, {});
  await eventually('the first has run', () => ran === 1);
  // The gateway knows of it by the worker alone: it is in no catalog.
  const crm = await eventually('the worker tells of its limit', async () => {
    const [, { limits }] = await call('GET', '/v1/limits');
    const found = limits.find(({ name }) => name === 'crm');
    return found?.definitions.length === 1 && found;
  });
  expect(crm).toMatchObject({
    scope: 'global',
    queues: ['probe.call'],
    source: 'code',
    rule: { rate: 1, per: '1h', burst: 1 },
    definitions: [{ workers: 1 }],
    use: { keys: 1, busiest: [{ key: '', burst: 1, left: 0 }] },
  });
  // What is no rate, or no limit, changes nothing.
  expect((await call('PUT', '/v1/limits/crm', { rate: 0, per: '1h' }))[0]).toBe(400);
  expect((await call('PUT', '/v1/limits/crn', { rate: 1, per: '1s' }))[0]).toBe(404);
  for (const [rate, field] of [
    ['0/1h', 'rate: '],
    ['5/1fortnight', 'per: '],
    ['often', 'such as 60/1m'],
  ] as const) {
    const stderr = expect.stringContaining(field);
    expect(await warren('set', 'crm', rate)).toMatchObject({ code: 2, stderr });
  }
  expect(ran).toBe(1);
  const set = { rate: 100, per: '1s' };
  expect(await call('PUT', '/v1/limits/crm', set)).toEqual([200, { name: 'crm', set }]);
  await eventually('the others go at once', () => ran === 4);
  const list = await warren('list');
  expect(list.stdout).toMatch(/^crm +100\/1s, 10 at once +operator +global .*probe\.call/m);
  expect(await warren('set', 'crn', '5/1m')).toMatchObject({ code: 1 });
  expect(await warren('set', 'crm', '7/1m', '--burst', '2', '--reason', 'night')).toMatchObject({
    code: 0,
    stdout: 'crm: 7/1m, 2 at once, for all keys\n',
  });
  expect(await call('DELETE', '/v1/limits/crm')).toEqual([200, { name: 'crm' }]);
  const { stdout } = await warren('list', '--json');
  const after = JSON.parse(stdout) as Answer;
  expect(after.limits).toMatchObject([{ name: 'crm', source: 'code', rule: { rate: 1 } }]);
  const { items } = await bench.store.audit.list({ limit: 10 });
  expect(items.map(({ action, details }) => [action, details])).toEqual([
    ['limit.set', { limit: 'crm', reset: true }],
    ['limit.set', { limit: 'crm', rate: 7, per: '1m', burst: 2, reason: 'night' }],
    ['limit.set', { limit: 'crm', rate: 100, per: '1s' }],
  ]);
});
