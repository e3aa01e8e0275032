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
import { handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const job = defineJob({ type: 'probe.mail', schema: z.object({}), retry: { maxAttempts: 1 } });

let here: Installation;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
let gateway: ReturnType<typeof createGateway>;
let isAway = false;

beforeAll(async () => {
  here = await install([job], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
  gateway = startable();
  await gateway.start();
  await eventually('the gateway is ready', () => gateway.ready().ready);
});
afterAll(async () => {
  await gateway.stop();
  await here.dispose();
  await deleteNamespace(
    here.url,
    here.namespace,
    catalog.map(({ type }) => type),
  );
  await bench.dispose();
});

function startable() {
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  const deps = { ...quietTelemetry(), store: bench.store };
  return createGateway(loadConfig(gatewaySettings, env), deps);
}

interface Told {
  readonly name: string;
  readonly key?: string;
  readonly state: string;
  readonly override?: string;
  readonly workers: readonly { readonly state: string }[];
}
async function told(): Promise<readonly Told[]> {
  const response = await fetch(`${gateway.url()}/v1/breakers`);
  return ((await response.json()) as { breakers: readonly Told[] }).breakers;
}
const report = async () =>
  (await fetch(`${gateway.url()}/v1/queues/${job.type}`)).json() as Promise<unknown>;
const whenTold = (state: string, workers: number, key?: string) =>
  eventually(
    `${workers} tell that it is ${state}`,
    async () => {
      const found = (await told()).find((one) => one.name === 'smtp' && one.key === key);
      return found?.state === state && found.workers.length === workers && found;
    },
    // One that is not heard of is forgotten after 20 s.
    60_000,
  );
const whenOpenIn = (worker: Worker, state: string) =>
  eventually(`the circuit is ${state}`, () =>
    worker.breakers()[0]?.circuits.some((one) => one.state === state),
  );
const put = (state: string) =>
  fetch(`${gateway.url()}/v1/breakers/smtp`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state }),
  });
const command = (...args: string[]) =>
  runCommand(args, {
    env: {
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      DATABASE_URL: sharedDatabaseUrl(),
    },
    jobs: [job],
  });
const warren = (...args: string[]) => command('breakers', ...args);

it('what one process finds out is seen everywhere, and what is switched reaches all', {
  timeout: 240_000,
}, async () => {
  const options = {
    concurrency: 1,
    breaker: { name: 'smtp', volumeThreshold: 2, resetTimeout: '1h' },
  } as const;
  const work = () =>
    here.work([
      handle(
        job,
        () => {
          if (isAway) throw new Error('connect ECONNREFUSED');
        },
        options,
      ),
    ]);
  const first = await work();
  await whenTold('closed', 1);
  isAway = true;
  const jobs = await here.connect();
  for (let n = 0; n < 3; n += 1) await jobs.publish(job, {});
  await whenOpenIn(first, 'open');
  expect(await whenTold('open', 1)).toMatchObject({ nextTrial: expect.any(String) });
  // Nobody consumes what waits, and nobody is to be looked for.
  const held = expect.stringMatching(
    /^circuit smtp is open: probe\.mail waits for it \(since .*, next trial .*\)$/,
  );
  expect(await report()).toMatchObject({ consumers: 0, health: 'degraded', problem: held });
  const health = JSON.parse((await command('health', '--json')).stdout) as {
    checks: { name: string; problem?: string }[];
  };
  expect(health.checks).toContainEqual({ name: 'circuits', problem: held });
  expect(health.checks).toContainEqual({ name: 'consumers' });
  const { findings } = JSON.parse((await command('doctor', '--json')).stdout) as {
    findings: { check: string; finding: string }[];
  };
  expect(findings.filter(({ check }) => check === 'consumers')).toMatchObject([
    { result: 'warning', finding: held },
  ]);
  // Somebody who was not there yet sees it too, and a worker that found out nothing.
  const second = await work();
  await gateway.stop();
  gateway = startable();
  await gateway.start();
  const mixed = await whenTold('open', 2);
  expect(mixed.workers.map(({ state }) => state).sort()).toEqual(['closed', 'open']);
  const list = await warren('list');
  expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^smtp .*open .* 2$/m) });
  expect(await command('dead', 'replay', job.type, '--dry-run')).toMatchObject({
    stderr: expect.stringContaining('open circuits: smtp;'),
  });
  // Let go by hand: the dependency is known to be back.
  isAway = false;
  expect((await put('closed')).status).toBe(200);
  await whenOpenIn(first, 'closed');
  expect(await whenTold('closed', 2)).toMatchObject({ override: 'closed' });
  expect(await warren('open', 'smtp', '--reason', 'maintenance')).toMatchObject({ code: 0 });
  await Promise.all([first, second].map((worker) => whenOpenIn(worker, 'open')));
  expect(await whenTold('open', 2)).toMatchObject({ override: 'open' });
  expect(await warren('reset', 'smtp')).toMatchObject({ code: 0 });
  // Each tries one first.
  await Promise.all([first, second].map((worker) => whenOpenIn(worker, 'half_open')));
  await second.stop();
  await whenTold('half_open', 1);
  expect((await put('ajar')).status).toBe(400);
  expect(await warren('open', 'No Name')).toMatchObject({ code: 2 });
  const { items } = await bench.store.audit.list({ limit: 10 });
  expect(items.map(({ action, details }) => [action, details])).toEqual([
    ['breaker.set', { breaker: 'smtp', state: 'auto' }],
    ['breaker.set', { breaker: 'smtp', state: 'open', reason: 'maintenance' }],
    ['breaker.set', { breaker: 'smtp', state: 'closed' }],
  ]);
});
