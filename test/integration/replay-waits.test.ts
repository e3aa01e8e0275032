import { catalog } from '@warren/catalog';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig } from '@warren/runtime';
import {
  anyJob,
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
import { runCommand } from './support/command.ts';

const job = anyJob('probe.mail', { retry: { maxAttempts: 1 } });
const COUNT = 5;

let here: Installation;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
let gateway: ReturnType<typeof createGateway>;
let worker: Worker;
const run: string[] = [];

beforeAll(async () => {
  here = await install([job], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  gateway = createGateway(loadConfig(gatewaySettings, env), {
    ...quietTelemetry(),
    store: bench.store,
  });
  const handler = handle(job, ({ id }) => void run.push(id), { breaker: 'smtp' });
  [worker] = await Promise.all([here.work([handler]), gateway.start()]);
});
afterAll(async () => {
  await gateway.stop();
  await here.dispose();
  const types = catalog.map(({ type }) => type);
  await deleteNamespace(here.url, here.namespace, types);
  await bench.dispose();
});

async function ask(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${gateway.url()}/v1/${path}`, { method, ...sent });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

async function hold(state: 'open' | 'closed'): Promise<void> {
  await ask('PUT', 'breakers/smtp', { state });
  await eventually(`the circuit is ${state}`, () =>
    worker.breakers()[0]?.circuits.some((one) => one.state === state),
  );
}

async function bury(): Promise<void> {
  const { names } = here.topology;
  await here.admin.run(async (channel) => {
    for (let n = 0; n < COUNT; n += 1) {
      const properties = { messageId: `id-${n}`, type: job.type, persistent: true };
      channel.sendToQueue(names.deadQueue(job.type), Buffer.from('1'), properties);
    }
  });
  const dead = names.deadQueue(job.type);
  await eventually('all are dead', async () => (await here.admin.depth(dead)) === COUNT);
}

const replay = (options: readonly string[], signal?: AbortSignal) =>
  runCommand(['dead', 'replay', job.type, ...options], {
    env: {
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      DATABASE_URL: sharedDatabaseUrl(),
    },
    jobs: [job],
    signal,
  });
const whenOneWaits = () =>
  eventually('a replay waits', async () => {
    const { items } = await bench.store.letterRuns.list({ limit: 1 });
    return items[0]?.waitingFor !== undefined && items[0];
  });
const WAITS = /circuit smtp of probe\.mail is open on 1 worker, since \d{4}-/;

it('a replay waits while a circuit is open that its jobs would wait for', {
  timeout: 60_000,
}, async () => {
  const dead = here.topology.names.deadQueue(job.type);
  await bury();
  await hold('open');

  // Over HTTP: it says what it waits for, and stops when it is asked to.
  const { id } = await ask('POST', 'replays', { queue: job.type });
  const waiting = await eventually('it waits', async () => {
    const shown = await ask('GET', `replays/${String(id)}`);
    return shown['waitingFor'] !== undefined && shown;
  });
  expect(waiting).toMatchObject({ state: 'running', done: 0 });
  expect(waiting['waitingFor']).toMatch(WAITS);
  await ask('DELETE', `replays/${String(id)}`);
  await eventually('it has stopped', async () => {
    const shown = await ask('GET', `replays/${String(id)}`);
    return shown['state'] === 'stopped' && !('waitingFor' in shown);
  });

  // By the command: Ctrl-C ends it between two letters.
  const interrupt = new AbortController();
  const interrupted = replay([], interrupt.signal);
  await whenOneWaits();
  interrupt.abort();
  expect(await interrupted).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('it was asked to end'),
  });
  await eventually('all are back', async () => (await here.admin.depth(dead)) === COUNT);

  // It goes on by itself, and says each once.
  const going = replay([]);
  await whenOneWaits();
  expect(run).toEqual([]);
  await hold('closed');
  const { code, stderr } = await going;
  expect(code).toBe(0);
  expect(stderr).toMatch(WAITS);
  expect(stderr.match(/waiting:/g)).toHaveLength(1);
  expect(stderr.match(/going on/g)).toHaveLength(1);
  await eventually('all have run', () => run.length === COUNT);

  // Who wants to go on, does: the jobs wait at their queue.
  await bury();
  await hold('open');
  expect(await replay(['--ignore-breakers'])).toMatchObject({ code: 0, stderr: '' });
  expect(await here.admin.depth(dead)).toBe(0);
});
