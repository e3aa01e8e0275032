import { BrokerSession } from '@warren/broker';
import { catalog } from '@warren/catalog';
import { createService, type GatewayService, gatewaySettings } from '@warren/gateway';
import { loadConfig } from '@warren/runtime';
import {
  eventually,
  type Installation,
  install,
  openStoreBench,
  quietTelemetry,
  type StoreBench,
  sharedDatabaseUrl,
  takeIds,
} from '@warren/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const GONE = 'email.gone';
const UNROUTABLE = 'jobs.unroutable';

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let gateway: GatewayService;
beforeAll(async () => {
  here = await install(catalog, { history: true });
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  await session.close();
  bench = await openStoreBench({ namespace: here.namespace });
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  const config = loadConfig(gatewaySettings, env);
  gateway = createService(config, { ...quietTelemetry(), store: bench.store });
  await gateway.start();
});
afterAll(async () => {
  await gateway?.stop();
  await bench?.dispose();
  await here?.dispose();
});

const queue = () => here.topology.names.unroutable;

/** Two that failed in a queue that is gone, one that waited for its retry, each on the way that the kit sends it. */
beforeEach(async () => {
  const { names } = here.topology;
  const dead = (messageId: string) =>
    here.admin.publish(names.dead, GONE, '{"to":"you@example.org"}', {
      messageId,
      type: GONE,
      persistent: true,
      headers: {
        'x-dead-reason': 'attempts_exhausted',
        'x-error': 'attempt 1: TypeError: no such box',
      },
    });
  await dead('a');
  await here.admin.publish(names.due, GONE, '{"n":2}', { messageId: 'b', persistent: true });
  await dead('c');
  await eventually('all are there', async () => (await here.admin.depth(queue())) === 3);
});
afterEach(async () => {
  await here.admin.take(queue());
});

describe('the command', () => {
  const command = async (...args: string[]) => {
    const run = await runCommand(['dead', ...args], {
      env: {
        AMQP_URL: here.url,
        DATABASE_URL: sharedDatabaseUrl(),
        WARREN_NAMESPACE: here.namespace,
      },
      jobs: catalog,
    });
    expect(run).toMatchObject({ code: 0 });
    return run.stdout;
  };
  const json = async (...args: string[]) =>
    JSON.parse(await command(...args, '--json')) as Record<string, unknown>;

  it('lists, groups, exports and discards the unroutable as dead letters', async () => {
    expect(await json('list', UNROUTABLE)).toMatchObject({
      queue: queue(),
      depth: 3,
      deadLetters: [
        { id: 'a', reason: 'attempts_exhausted', routingKey: GONE },
        { id: 'b', routingKey: GONE },
        { id: 'c', reason: 'attempts_exhausted', routingKey: GONE },
      ],
    });
    expect(await json('groups', UNROUTABLE)).toMatchObject({
      depth: 3,
      groups: [
        { count: 2, errorClass: 'TypeError', sampleId: 'c' },
        { count: 1, sampleId: 'b' },
      ],
    });
    const exported = await command('export', UNROUTABLE, '--show-pii');
    expect(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { queue: UNROUTABLE, routingKey: GONE, properties: { messageId: 'a' } },
      { queue: UNROUTABLE, routingKey: GONE, properties: { messageId: 'b' }, payload: { n: 2 } },
      { queue: UNROUTABLE, routingKey: GONE, properties: { messageId: 'c' } },
    ]);
    const why = ['--reason', 'the job type is gone', '--yes'];
    expect(await json('discard', UNROUTABLE, '--error', 'TypeError', ...why)).toMatchObject({
      queue: queue(),
      depth: 3,
      discarded: 2,
      stopped: null,
    });
    expect(await takeIds(here.url, queue())).toEqual(['b']);
    const { items } = await bench.store.audit.list({ limit: 10 });
    expect(items.find(({ action }) => action === 'dead.discard')).toMatchObject({
      details: { queue: queue(), reason: 'the job type is gone' },
    });
  });
});

describe('HTTP', () => {
  const call = async (method: string, path: string, sent?: object) => {
    const headers = { 'content-type': 'application/json' };
    const body = sent && { headers, body: JSON.stringify(sent) };
    const response = await fetch(`${gateway.url()}/v1${path}`, { method, ...body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('lists, groups and discards the unroutable as dead letters', async () => {
    expect((await call('GET', '/dead-letters')).body['queues']).toContainEqual({
      queue: UNROUTABLE,
      dead: 3,
    });
    const { body: page } = await call('GET', `/dead-letters/${UNROUTABLE}`);
    expect(page).toMatchObject({ depth: 3, deadLetters: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
    const { body: grouped } = await call('GET', `/dead-letters/${UNROUTABLE}/groups`);
    expect(grouped['groups']).toMatchObject([{ count: 2, errorClass: 'TypeError' }, { count: 1 }]);
    const { body: one } = await call('GET', `/dead-letters/${UNROUTABLE}/letters/b`);
    expect(one).toMatchObject({ id: 'b', position: 2 });
    const discarded = await call('POST', `/dead-letters/${UNROUTABLE}/discard`, {
      selection: { ids: ['a', 'c'] },
      reason: 'the job type is gone',
    });
    expect(discarded).toMatchObject({ status: 202, body: { kind: 'discard' } });
    const run = `/replays/${String(discarded.body['id'])}`;
    await eventually('it is over', async () => {
      const { body } = await call('GET', run);
      return body['state'] === 'ended' && body['done'] === 2;
    });
    expect(await takeIds(here.url, queue())).toEqual(['b']);
  });
});
