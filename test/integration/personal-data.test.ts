import { createHash } from 'node:crypto';
import { catalog, sendEmail } from '@warren/catalog';
import { connectJobs, type Jobs } from '@warren/client';
import { HEADERS, NonRetryableError } from '@warren/contracts';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig, type Service } from '@warren/runtime';
import {
  AmqpAdmin,
  type CollectedSpans,
  collectSpans,
  deleteNamespace,
  eventually,
  openStoreBench,
  quietTelemetry,
  sharedBrokerUrl,
  sharedDatabaseUrl,
} from '@warren/testing';
import { createNames } from '@warren/topology';
import { createService as createTracker, trackerSettings } from '@warren/tracker';
import { createWorker, handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

/** In fields that are marked `pii()`; one with what JSON has to spell out. */
const RECIPIENT = 'c4nary-recipient@example.org';
const TEXT = 'c4nary "text"\nof a mail';
/** What no log may have, wherever it comes from. */
const SECRET = 'c4nary-s3cret';
/** Of a caller of the gateway: of the form that keys have. */
const KEY = `warren_${'c4nary-key-of-a-caller'.padEnd(43, 'x')}`;
/** One that the gateway does not know. */
const UNKNOWN_KEY = `warren_${'c4nary-key-of-nobody'.padEnd(43, 'x')}`;
const KEY_HASH = createHash('sha256').update(KEY).digest('hex');
const TRACES_OF_IT = new RegExp(`c4nary|${KEY_HASH}`);

const url = sharedBrokerUrl();
const telemetry = quietTelemetry();
let bench: Awaited<ReturnType<typeof openStoreBench>>;
let spans: CollectedSpans;
let worker: Worker;
let jobs: Jobs;
let gatewayUrl: string;
const services: Service[] = [];

/** It says and throws all that it should not. */
const spill: Parameters<typeof handle<typeof sendEmail>>[1] = ({ payload, attempt }, context) => {
  const { to, text } = payload;
  context.log.info({ to, payload, nested: { body: text }, password: SECRET }, 'to %s', to);
  context.log.child({ to }).warn(`the text is ${text}`);
  telemetry.logger.info({ [to]: 1, apiKey: SECRET }, to);
  context.progress(0.5, `sending to ${to}`);
  const cause = Object.assign(new Error(`550 ${to}: ${text}`), { rejected: [to], recipient: to });
  const message = `amqp://user:${SECRET}@host refused ${to}, whose mail was ${text}`;
  if (attempt === 1) throw new TypeError(message, { cause });
  throw new NonRetryableError(message, { cause });
};

beforeAll(async () => {
  bench = await openStoreBench();
  spans = collectSpans();
  const { namespace, store } = bench;
  const env = { AMQP_URL: url, WARREN_NAMESPACE: namespace, PORT: '0', LOG_LEVEL: 'trace' };
  const withKey = { ...env, WARREN_API_KEYS: `board:admin:${KEY_HASH}` };
  const gateway = createGateway(loadConfig(gatewaySettings, withKey), { ...telemetry, store });
  const tracker = createTracker(loadConfig(trackerSettings, env), { ...telemetry, store });
  services.push(gateway, tracker);
  await Promise.all(services.map((service) => service.start()));
  const common = { connection: { urls: [url] }, service: 'test', namespace, ...telemetry };
  worker = createWorker({ ...common, handlers: [handle(sendEmail, spill)], history: true });
  await worker.start();
  jobs = await connectJobs({ ...common, jobs: [sendEmail], history: true });
  await eventually('all are ready', () =>
    [gateway, tracker].every((one) => one.ready().ready && worker.readiness().ready),
  );
  gatewayUrl = gateway.url() ?? '';
});
afterAll(async () => {
  await jobs.close();
  await worker.stop();
  for (const service of services) await service.stop();
  await spans.end();
  const types = catalog.map(({ type }) => type);
  await deleteNamespace(url, bench.namespace, types);
  await bench.dispose();
});

const warren = async (...args: string[]): Promise<string> => {
  const env = {
    AMQP_URL: url,
    DATABASE_URL: sharedDatabaseUrl(),
    WARREN_NAMESPACE: bench.namespace,
  };
  const { stdout, stderr } = await runCommand(args, { env, jobs: catalog });
  return `${stdout}${stderr}`;
};

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const get = (path: string, key = KEY) => fetch(`${gatewayUrl}${path}`, { headers: withKey(key) });

async function post(body: unknown, key = KEY): Promise<Response> {
  return fetch(`${gatewayUrl}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...withKey(key) },
    body: JSON.stringify(body),
  });
}

const MAIL = { to: RECIPIENT, subject: 'Hello', text: TEXT };
const stateOf = async (id: string) =>
  ((await (await get(`/v1/jobs/${id}`)).json()) as { state?: string }).state;
const isDead = (id: string) =>
  eventually(`${id} is dead`, async () => (await stateOf(id)) === 'dead');

/** Made dead letters by a worker that hid nothing: as it should be, not as its schema says, and not to be read. */
const FOREIGN = {
  'foreign-whole': JSON.stringify(MAIL),
  'foreign-unfit': JSON.stringify({ ...MAIL, attachments: SECRET }),
  'foreign-broken': `{"to":"${RECIPIENT}","text":${SECRET}`,
};

async function buryForeign(admin: AmqpAdmin): Promise<void> {
  const queue = createNames(bench.namespace).deadQueue('email.send');
  const indented = TEXT.replaceAll('\n', '\n    ');
  for (const [messageId, body] of Object.entries(FOREIGN)) {
    const unfit = messageId === 'foreign-whole' ? '' : SECRET;
    const error = [
      `attempt 2: MailError [EENVELOPE]: ${RECIPIENT} refused ${unfit}`,
      `    whose mail was ${indented}`,
      `    caused by Error: ${JSON.stringify(TEXT)}`,
      '    at send (/app/mail.js:1:1)',
      `attempt 1: MailError: ${TEXT.split('\n')[0]}`,
    ].join('\n');
    const headers = { [HEADERS.error]: error, [HEADERS.deadReason]: 'non_retryable' };
    const properties = { messageId, type: 'email.send' };
    await admin.publish('', queue, body, {
      ...properties,
      headers: { ...headers, 'list-owner': RECIPIENT },
    });
  }
}

/** Dead by its handler, by its schema, and by what no reader understands; with all that was told live of the first. */
async function bury(): Promise<{ id: string; live: string }> {
  const accepted = (await (await post({ type: 'email.send', payload: MAIL })).json()) as {
    id: string;
  };
  // It ends with the job.
  const live = get(`/v1/jobs/${accepted.id}/events`);
  const queue = createNames(bench.namespace).workQueue('email.send');
  const admin = await AmqpAdmin.connect(url);
  const unfit = { ...MAIL, attachments: RECIPIENT };
  await admin.publish('', queue, JSON.stringify(unfit), { messageId: 'unfit' });
  await admin.publish('', queue, `{"to":"${RECIPIENT}","text":${SECRET}`, { messageId: 'broken' });
  // Failed before at a worker that hid nothing.
  const failed = { [HEADERS.attempt]: 2, [HEADERS.error]: `attempt 1: Error: ${RECIPIENT}` };
  await admin.publish('', queue, JSON.stringify(MAIL), { messageId: 'carried', headers: failed });
  await Promise.all([accepted.id, 'unfit', 'broken', 'carried'].map(isDead));
  await buryForeign(admin);
  await admin.close();
  return { id: accepted.id, live: await (await live).text() };
}

it('of a payload or of a key is in no log, metric, trace, error, list or export', async () => {
  const { id, live } = await bury();
  const told: Record<string, string> = {
    'the events of the job, live': live,
    'the error of a publish': await jobs
      .publish(sendEmail, { ...MAIL, to: `${SECRET} is no address` })
      .then(() => 'none', String),
    'the error of who waits': await jobs
      .wait(id, { timeoutMs: 30_000, since: new Date(Date.now() - 600_000) })
      .then(() => 'none', String),
    'the answer to a bad job': await (
      await post({ type: 'email.send', payload: { ...MAIL, to: SECRET } })
    ).text(),
  };
  for (const path of ['/v1/jobs', '/v1/queues', `/v1/jobs?key=${KEY}`, '/v1/nothing']) {
    told[`${path} without a key that is known`] = await (await get(path, UNKNOWN_KEY)).text();
  }
  told['a job without a key that is known'] = await (await post({}, UNKNOWN_KEY)).text();
  told['a bad option beside a key'] = await (await get(`/v1/queues?key=${KEY}`)).text();
  for (const path of [
    `/v1/jobs/${id}`,
    `/v1/jobs/${id}/log`,
    '/v1/jobs?type=email.send',
    '/v1/jobs?q=refused',
    '/v1/queues',
    '/v1/breakers',
    '/v1/dead-letters',
    '/v1/dead-letters/email.send',
    '/v1/dead-letters/email.send/groups',
    ...[id, 'unfit', 'broken', ...Object.keys(FOREIGN)].map(
      (one) => `/v1/dead-letters/email.send/letters/${one}`,
    ),
    '/metrics',
  ]) {
    told[path] = await (await get(path)).text();
  }
  const dead = ['dead', 'show', 'email.send', id];
  for (const args of [
    ['dead', 'list', 'email.send'],
    ['dead', 'list', 'email.send', '--json'],
    ['dead', 'groups', 'email.send'],
    dead,
    [...dead, '--json'],
    ...Object.keys(FOREIGN).map((one) => ['dead', 'show', 'email.send', one]),
    ['dead', 'groups', 'email.send', '--json'],
    ['dead', 'export', 'email.send'],
    ['jobs', 'show', id],
    ['jobs', 'list'],
    ['jobs', 'logs', id],
    ['queues'],
  ]) {
    told[`warren ${args.join(' ')}`] = await warren(...args);
  }
  told['the logs'] = JSON.stringify(telemetry.lines);
  told['the metrics'] = await telemetry.metrics.text();
  told['the spans'] = spans
    .all()
    .map(({ text }) => text)
    .join('\n');

  for (const [where, text] of Object.entries(told)) expect(text, where).not.toMatch(TRACES_OF_IT);
  // There is something in each of them, and it is about this job.
  expect(told['the error of a publish']).toContain('PayloadInvalidError');
  expect(told['the error of who waits']).toContain('refused [redacted]');
  expect(told['the answer to a bad job']).toContain('payload.to');
  expect(told['a job without a key that is known']).toContain('UNAUTHENTICATED');
  expect(told['a bad option beside a key']).toContain('query.key');
  expect(told['the logs']).toContain('"caller":"board"');
  expect(told[`/v1/jobs/${id}/log`]).toContain('the text is [redacted]');
  expect(told['the logs']).toContain('attempt failed');
  for (const kind of ['started', 'log', 'progress', 'dead']) {
    expect(told['the events of the job, live']).toContain(`event: ${kind}\n`);
  }
  for (const path of ['', '/groups', `/letters/${id}`]) {
    expect(told[`/v1/dead-letters/email.send${path}`]).toContain('refused [redacted]');
  }
  for (const one of ['unfit', 'broken']) {
    expect(told[`/v1/dead-letters/email.send/letters/${one}`]).toContain(`"id":"${one}"`);
  }
  for (const [one, message] of [
    ['foreign-whole', '[redacted] refused '],
    ['foreign-unfit', '[redacted] refused [redacted]'],
    ['foreign-broken', '[redacted]'],
  ] as const) {
    for (const place of [
      `warren dead show email.send ${one}`,
      `/v1/dead-letters/email.send/letters/${one}`,
    ]) {
      expect(told[place]).toContain(`attempt 2: MailError [EENVELOPE]: ${message}`);
      expect(told[place]).toContain('at send (/app/mail.js:1:1)');
    }
    expect(told['warren dead export email.send']).toContain(one);
  }
  expect(told['the spans']).toContain('refused [redacted]');
  expect(told['warren dead export email.send']).toContain(id);
  expect(told[`warren dead show email.send ${id}`]).toContain('refused [redacted]');
  expect(await warren(...dead, '--show-pii')).toContain(RECIPIENT);
  const carried = await warren('dead', 'show', 'email.send', 'carried', '--show-pii', '--json');
  expect(JSON.parse(carried)).toMatchObject({
    error: expect.stringMatching(
      /^attempt 2: .*\n[\s\S]*\nattempt 1: Error: \[redacted\]$/,
    ) as string,
  });
  for (const command of ['list', 'groups', 'export']) {
    const shown = await warren('dead', command, 'email.send', '--show-pii');
    expect(shown, command).toContain(`${RECIPIENT} refused`);
  }
});
