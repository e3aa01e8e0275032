import { BrokerSession } from '@warren/broker';
import { catalog } from '@warren/catalog';
import { createService, type GatewayService, gatewaySettings } from '@warren/gateway';
import { loadConfig } from '@warren/runtime';
import {
  eventually,
  type Installation,
  install,
  metricValue,
  openStoreBench,
  quietTelemetry,
  type StoreBench,
  takeIds,
} from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const TYPE = 'email.send';

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let gateway: GatewayService;
let telemetry: ReturnType<typeof quietTelemetry>;
beforeAll(async () => {
  here = await install(catalog, { history: true });
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  await session.close();
  bench = await openStoreBench({ namespace: here.namespace });
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.stop();
  await bench?.dispose();
  await here?.dispose();
});

async function startGateway(): Promise<GatewayService> {
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  const config = loadConfig(gatewaySettings, env);
  telemetry = quietTelemetry();
  const service = createService(config, { ...telemetry, store: bench.store });
  await service.start();
  return service;
}

const deadQueue = () => here.topology.names.deadQueue(TYPE);
const workQueue = () => here.topology.names.workQueue(TYPE);

async function bury(...ids: string[]): Promise<void> {
  const before = (await here.admin.depth(deadQueue())) ?? 0;
  const payload = { to: 'you@example.org', subject: 'Hi', text: 'Hi' };
  await here.admin.run(async (channel) => {
    for (const messageId of ids) {
      channel.sendToQueue(deadQueue(), Buffer.from(JSON.stringify(payload)), {
        messageId,
        type: TYPE,
        persistent: true,
        headers: { 'x-dead-reason': 'attempts_exhausted', 'x-error': 'attempt 1: Error: no' },
      });
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(deadQueue())) === before + ids.length;
  });
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path: string, sent?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const withBody = sent !== undefined && { headers, body: JSON.stringify(sent) };
  const response = await fetch(`${gateway.url()}/v1${path}`, { method, ...withBody });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const runOf = async (id: string) => (await call('GET', `/replays/${id}`)).body;
const ended = (id: string, state: string) =>
  eventually(`it is ${state}`, async () => {
    const run = await runOf(id);
    return run['state'] === state && run;
  });
const begin = async (sent: object) => {
  const { status, body } = await call('POST', '/replays', { queue: TYPE, ...sent });
  expect(status, JSON.stringify(body)).toBe(202);
  return String(body['id']);
};
const someDone = (id: string) =>
  eventually('some are done', async () => Number((await runOf(id))['done']) > 0);
const names = (prefix: string) => Array.from({ length: 20 }, (_, at) => `${prefix}-${at}`);

it('shows dead letters page by page, by their groups, and one, and takes none', async () => {
  await bury('a', 'b', 'c');
  expect((await call('GET', '/dead-letters')).body['queues']).toContainEqual({
    queue: TYPE,
    dead: 3,
  });
  const first = await call('GET', `/dead-letters/${TYPE}?limit=2`);
  const redacted = { to: '[redacted]', subject: 'Hi' };
  expect(first.body).toMatchObject({ depth: 3, cursor: '2' });
  expect(first.body['deadLetters']).toMatchObject([
    { id: 'a', position: 1, reason: 'attempts_exhausted' },
    { id: 'b' },
  ]);
  expect(JSON.stringify(first.body)).not.toContain('you@example.org');
  const { body: second } = await call('GET', `/dead-letters/${TYPE}?limit=2&cursor=2`);
  expect(second['deadLetters']).toMatchObject([{ id: 'c', position: 3 }]);
  expect(second).not.toHaveProperty('cursor');
  const { body: grouped } = await call('GET', `/dead-letters/${TYPE}/groups`);
  expect(grouped['groups']).toMatchObject([{ count: 3, errorClass: 'Error' }]);
  const { body: some } = await call('GET', `/dead-letters/${TYPE}?id=b&id=c&error=Error&limit=1`);
  expect(some).toMatchObject({ depth: 3, deadLetters: [{ id: 'b', position: 2 }], cursor: '2' });
  const none = await call('GET', `/dead-letters/${TYPE}/groups?error=TypeError`);
  expect(none.body).toMatchObject({ depth: 3, groups: [] });
  const { body: one } = await call('GET', `/dead-letters/${TYPE}.dead/letters/b`);
  expect(one).toMatchObject({ id: 'b', position: 2, payload: redacted });
  for (const nowhere of ['no.such', '%00', 'ä'.repeat(130)]) {
    expect(await call('GET', `/dead-letters/${nowhere}`)).toMatchObject({ status: 404 });
  }
  expect(await takeIds(here.url, deadQueue())).toEqual(['a', 'b', 'c']);
});

it('replays in the background, is stopped, and goes on with what was chosen', async () => {
  const meant = names('meant');
  await bury(...meant);
  const dry = await call('POST', '/replays', { queue: TYPE, dryRun: true });
  expect(dry).toMatchObject({ status: 200, body: { selected: 20, taken: 20 } });
  const id = await begin({ rate: 1, reason: 'it is back' });
  await someDone(id);
  const other = await call('POST', '/replays', { queue: TYPE });
  expect(other).toMatchObject({ status: 409, body: { code: 'LOCK_HELD' } });
  expect(await call('POST', `/replays/${id}/resume`)).toMatchObject({ status: 409 });
  expect(await call('DELETE', `/replays/${id}`)).toMatchObject({ status: 202 });
  expect(await ended(id, 'stopped')).toMatchObject({ chosen: 20, reason: 'it is back' });
  await bury('late');
  expect(await call('POST', `/replays/${id}/resume`)).toMatchObject({ status: 202 });
  await someDone(id);

  // Whoever comes after a gateway that ended finds it in the ledger.
  await gateway.stop();
  expect(await bench.store.letterRuns.find(id)).toMatchObject({ state: 'stopped' });
  gateway = await startGateway();
  // The rate stays what it was: from here on nobody need wait for it.
  await bench.sql(`UPDATE warren.letter_runs SET settings = '{}' WHERE id = '${id}'`);
  expect(await call('POST', `/replays/${id}/resume`)).toMatchObject({ status: 202 });
  expect(await ended(id, 'ended')).toMatchObject({ chosen: 20, done: 20, starts: 3 });
  const { metrics } = telemetry;
  const queue = deadQueue();
  const replayed = { queue, outcome: 'replayed' };
  expect(await metricValue(metrics, 'jobs_replay_total', replayed)).toBeGreaterThan(0);
  expect(await metricValue(metrics, 'jobs_replay_in_progress', { queue })).toBe(0);
  expect((await takeIds(here.url, workQueue())).sort()).toEqual(meant.sort());
  expect(await takeIds(here.url, deadQueue())).toEqual(['late']);
  expect(await call('DELETE', `/replays/${id}`)).toMatchObject({
    status: 409,
    body: { code: 'RUN_STATE_CONFLICT' },
  });
  const audit = (await bench.store.audit.list({ limit: 20 })).items;
  expect(audit).toContainEqual(
    expect.objectContaining({
      actor: expect.stringMatching(/^http /),
      action: 'dead.replay',
      details: expect.objectContaining({ run: id, reason: 'it is back' }),
    }),
  );
  expect(audit.map(({ action }) => action)).toContain('dead.replay.stop');
});

it('drops what is meant, and passes over what was replayed too often', async () => {
  await bury('a', 'b');
  const path = `/dead-letters/${TYPE}/discard`;
  const sent = { selection: { ids: ['a'] }, reason: 'test data' };
  const discarded = await call('POST', path, sent);
  expect(discarded).toMatchObject({ status: 202, body: { kind: 'discard' } });
  await ended(String(discarded.body['id']), 'ended');

  const first = await begin({});
  await ended(first, 'ended');
  await here.admin.run(async (channel) => {
    for (const message of await here.admin.take(workQueue())) {
      channel.sendToQueue(deadQueue(), message.content, message.properties);
    }
  });
  const parked = await ended(await begin({ maxReplays: 1 }), 'stopped');
  expect(parked).toMatchObject({
    done: 0,
    report: { left: 1, leftExamples: [{ id: 'b', problem: expect.stringContaining('parked') }] },
  });
  await ended(await begin({ force: true }), 'ended');
  expect(await takeIds(here.url, workQueue())).toEqual(['b']);
  const { body } = await call('GET', '/replays?limit=2');
  expect(body['replays']).toMatchObject([{ state: 'ended' }, { state: 'stopped' }]);
  expect(body['cursor']).toBeTypeOf('string');
});

it('writes dead letters out, takes none, and publishes them again, as told in the audit', async () => {
  await bury('a', 'b', 'c');
  const lines = async (sent: object) => {
    const response = await fetch(`${gateway.url()}/v1/dead-letters/${TYPE}/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  const put = async (body: string, query = '') => {
    const response = await fetch(`${gateway.url()}/v1/dead-letter-imports${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const redacted = await lines({ selection: { ids: ['b'] } });
  expect(JSON.parse(redacted)).toMatchObject({ properties: { messageId: 'b' }, redacted: true });
  expect(redacted).not.toContain('you@example.org');
  expect(await lines({ selection: { ids: ['nobody'] } })).toBe('');
  const whole = await lines({ showPii: true, limit: 2, reason: 'to keep' });
  expect(whole.trim().split('\n')).toHaveLength(2);

  expect(await put(redacted)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'line 1' }] },
  });
  expect(await put(`${whole}{}\n`)).toMatchObject({ body: { errors: [{ field: 'line 3' }] } });
  expect(await put('')).toMatchObject({ status: 400 });
  expect(await put(whole, '?toQueue=no')).toMatchObject({ status: 400 });
  // With a limit, what was held comes behind what was looked at before and not held.
  expect((await takeIds(here.url, deadQueue())).sort()).toEqual(['a', 'b', 'c']);

  expect(await put(whole, '?reason=back')).toEqual({
    status: 200,
    body: { imported: 2, of: 2, problems: [] },
  });
  expect((await takeIds(here.url, deadQueue())).sort()).toEqual(['a', 'b']);
  expect(await put(whole, '?toQueue=true')).toMatchObject({ body: { imported: 2 } });
  expect((await takeIds(here.url, workQueue())).sort()).toEqual(['a', 'b']);
  const { items } = await bench.store.audit.list({ limit: 20 });
  const audited = items.map(({ action, details }) => ({ action, details }));
  const export_ = { showPii: true, reason: 'to keep' };
  expect(audited).toContainEqual({
    action: 'dead.export',
    details: expect.objectContaining(export_),
  });
  expect(audited).toContainEqual({
    action: 'dead.import',
    details: expect.objectContaining({ count: 2, reason: 'back' }),
  });
});

it('corrects what it replays, and sends it to the queue that is named', async () => {
  await bury('edited');
  const to = `${TYPE}.suspect`;
  const edit = { subject: null, text: 'Hello' };
  const nowhere = await call('POST', '/replays', { queue: TYPE, to: `${TYPE}.dead` });
  expect(nowhere).toMatchObject({ status: 404, body: { code: 'QUEUE_MISSING' } });
  const dry = await call('POST', '/replays', { queue: TYPE, to, edit, dryRun: true });
  expect(dry.body).toMatchObject({ taken: 0, leftExamples: [{ id: 'edited' }] });
  const wrong = await begin({ queue: TYPE, to, edit });
  await ended(wrong, 'stopped');
  const again = { edit: { text: 'Hello' } };
  expect(await call('POST', `/replays/${wrong}/resume`)).toMatchObject({ status: 400 });
  expect(await call('POST', `/replays/${wrong}/resume`, again)).toMatchObject({ status: 202 });
  expect(await ended(wrong, 'ended')).toMatchObject({ settings: { isEdited: true } });
  const suspects = here.topology.names.suspectQueue(TYPE);
  const [sent] = await here.admin.take(suspects);
  expect(JSON.parse(String(sent?.content))).toMatchObject({ subject: 'Hi', text: 'Hello' });
  const { items } = await bench.store.audit.list({ limit: 20 });
  expect(items.find(({ action }) => action === 'dead.edit')).toMatchObject({
    details: { run: wrong, after: { text: 'Hello' } },
  });
});
