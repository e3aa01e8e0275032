import { createOutboxTable, publishInTransaction, startOutboxRelay } from '@warren/client';
import {
  anyJob,
  type CollectedSpans,
  collect,
  collectSpans,
  eventually,
  type Installation,
  install,
  metricValue,
  ownDatabase,
  quietTelemetry,
  type SeenSpan,
  startProxy,
} from '@warren/testing';
import { handle, type Worker } from '@warren/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
});
const next = anyJob('probe.next');
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let here: Installation;
let spans: CollectedSpans;
let workers: Worker[];
beforeAll(async () => {
  here = await install([job, next]);
});
afterAll(() => here.dispose());
beforeEach(() => {
  spans = collectSpans();
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await spans.end();
});

const work: Installation['work'] = async (...options) => {
  const worker = await here.work(...options);
  workers.push(worker);
  return worker;
};

const workQueue = () => here.topology.names.workQueue(job.type);
const process = (count: number) => spans.named('process ', count);
const one = (name: string): SeenSpan => {
  const found = spans.all().find((span) => span.name.startsWith(name));
  if (!found) throw new Error(`no span ${name}`);
  return found;
};

describe('the trace of a job', () => {
  it('has its publish, its attempts and what became of each, with what a handler publishes', async () => {
    const jobs = await here.connect();
    await work([
      handle(job, async ({ attempt }) => {
        if (attempt === 1) throw new TypeError('not yet');
        await jobs.publish(next, {});
      }),
      handle(next, () => {}),
    ]);
    let id = '';
    const caller = await spans.within('request', async () => {
      ({ id } = await jobs.publish(job, { n: 1 }, { correlationId: 'c' }));
    });
    const [first, second, third] = await process(3);
    await spans.named('ack ', 2);
    const sent = one('send ');
    const { names } = here.topology;
    expect(new Set(spans.all().map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));

    expect(sent).toMatchObject({
      name: `send ${names.jobs}:${job.type}`,
      kind: 'PRODUCER',
      parentSpanId: caller.spanId,
      links: [],
      attributes: {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': `${names.jobs}:${job.type}`,
        'messaging.rabbitmq.destination.routing_key': job.type,
        'messaging.message.id': id,
        'messaging.message.conversation_id': 'c',
        'jobs.type': job.type,
      },
    });
    expect(first).toMatchObject({
      name: `process ${names.jobs}:${job.type}:${workQueue()}`,
      kind: 'CONSUMER',
      parentSpanId: sent.spanId,
      links: [sent.spanId],
      hasFailed: true,
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.rabbitmq.message.delivery_tag': 1,
        'messaging.message.id': id,
        'jobs.attempt': 1,
        'jobs.wait_ms': expect.any(Number),
        'jobs.outcome': 'failed',
        'jobs.decision': 'retry',
        'error.type': 'TypeError',
      },
    });
    expect(first?.text).toContain('TypeError: not yet');
    const failed = here.lines.find(({ msg }) => msg === 'attempt failed; the job is retried');
    expect(failed).toMatchObject({ job_id: id, attempt: 1, trace_id: caller.traceId });
    expect(one('retry ')).toMatchObject({
      kind: 'CLIENT',
      parentSpanId: first?.spanId,
      attributes: { 'messaging.operation.type': 'settle', 'jobs.delay_ms': 250 },
    });
    expect(second).toMatchObject({
      name: `process ${names.due}:${workQueue()}`,
      parentSpanId: sent.spanId,
      links: [sent.spanId, first?.spanId],
      hasFailed: false,
      attributes: { 'jobs.attempt': 2, 'jobs.outcome': 'succeeded', 'jobs.decision': 'complete' },
    });
    const onward = spans.all().find(({ name }) => name === `send ${names.jobs}:${next.type}`);
    expect(onward?.parentSpanId).toBe(second?.spanId);
    expect(third?.parentSpanId).toBe(onward?.spanId);
  });

  it('goes on through its dead letter and the replay, which is linked', async () => {
    const jobs = await here.connect();
    let isMended = false;
    await work([
      handle(job, () => {
        if (!isMended) throw new Error('broken');
      }),
    ]);
    const { traceId } = await spans.within('request', () => jobs.publish(job, {}));
    const [, last] = await process(2);
    await spans.named('dead_letter ', 1);
    isMended = true;
    const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace };
    const done = await runCommand(['dead', 'replay', job.type], { env, jobs: [job] });
    expect(done.code).toBe(0);
    const [, , again] = await process(3);
    const sent = one('send ');
    const replayed = one('replay ');
    const operator = one('warren dead replay');
    expect(one('dead_letter ')).toMatchObject({
      traceId,
      parentSpanId: last?.spanId,
      attributes: { 'jobs.dead_reason': 'attempts_exhausted' },
    });
    expect(operator.traceId).not.toBe(traceId);
    expect(replayed).toMatchObject({
      traceId: operator.traceId,
      parentSpanId: operator.spanId,
      links: [sent.spanId, last?.spanId],
      attributes: { 'messaging.operation.name': 'replay', 'jobs.generation': 1 },
    });
    expect(again).toMatchObject({
      traceId,
      parentSpanId: sent.spanId,
      links: [sent.spanId, replayed.spanId],
      attributes: { 'jobs.attempt': 1, 'jobs.generation': 1, 'jobs.outcome': 'succeeded' },
    });
  });

  it('is that of a foreign publisher, or else begins with the first attempt', async () => {
    await work([
      handle(job, ({ attempt }) => {
        if (attempt === 1) throw new Error('not yet');
      }),
    ]);
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=1' };
    await here.admin.publish('', workQueue(), '{}', { messageId: 'foreign', headers });
    await here.admin.publish('', workQueue(), '{}', { messageId: 'silent' });
    const of = (id: string) =>
      spans
        .all()
        .filter(({ name }) => name.startsWith('process '))
        .filter(({ attributes }) => attributes['messaging.message.id'] === id);
    await process(4);
    const [first, second] = of('foreign');
    for (const span of [first, second]) {
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
    }
    const [begun, goneOn] = of('silent');
    expect(begun).toMatchObject({ parentSpanId: undefined, links: [] });
    expect(goneOn).toMatchObject({ traceId: begun?.traceId, parentSpanId: begun?.spanId });
  });

  it('is told of a job that does not run', async () => {
    const { traceId, spanId } = await spans.within('request', async () => {});
    const strict = anyJob('probe.run', { maxAge: '1m' });
    await work([handle(strict, () => {})]);
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-published-at': 1 };
    await here.admin.publish('', workQueue(), '{}', { messageId: 'old', headers });
    const [buried] = await spans.named('dead_letter ', 1);
    expect(buried).toMatchObject({
      traceId,
      parentSpanId: spanId,
      attributes: { 'jobs.dead_reason': 'max_age' },
    });
    expect(spans.all().some(({ name }) => name.startsWith('process '))).toBe(false);
  });

  it('is kept by a publish that waits for the connection', async () => {
    const proxy = await startProxy(here.url);
    proxy.setOpen(false);
    const connection = { urls: [proxy.url] };
    const jobs = await here.connect({ connection, publish: { maxWaitMs: 30_000 } });
    let published: Promise<unknown> = Promise.resolve();
    const caller = await spans.within('request', async () => {
      published = jobs.publish(job, {}, { timeoutMs: 30_000 });
    });
    proxy.setOpen(true);
    await published;
    const [message] = await collect(here.admin, workQueue(), 1);
    const sent = one('send ');
    expect(sent.parentSpanId).toBe(caller.spanId);
    expect(message?.properties.headers?.['traceparent']).toBe(
      `00-${caller.traceId}-${sent.spanId}-01`,
    );
    await jobs.close();
    proxy.stop();
  });

  it('is kept by the row of an outbox', async () => {
    const database = ownDatabase();
    const { pool, schema } = database;
    await createOutboxTable(pool, { schema });
    const caller = await spans.within('request', () =>
      publishInTransaction(pool, job, {}, { schema }),
    );
    const jobs = await here.connect();
    const relay = startOutboxRelay({ pool, jobs, schema, ...quietTelemetry() });
    await work([handle(job, () => {})]);
    const [processed] = await process(1);
    await relay.stop();
    await database.dispose();
    const created = one('create ');
    expect(created).toMatchObject({
      name: `create ${job.type}`,
      kind: 'PRODUCER',
      parentSpanId: caller.spanId,
    });
    expect(one('send ')).toMatchObject({
      kind: 'CLIENT',
      parentSpanId: created.spanId,
      links: [created.spanId],
    });
    expect(processed).toMatchObject({ traceId: caller.traceId, parentSpanId: created.spanId });
  });
});

describe('where nobody collects spans', () => {
  it('a message carries none, and its job no trace', async () => {
    await spans.end();
    const jobs = await here.connect();
    await jobs.publish(job, {});
    const [message] = await collect(here.admin, workQueue(), 1);
    expect(message?.properties.messageId).toBeDefined();
    expect(message?.properties.headers).not.toHaveProperty('traceparent');
    spans = collectSpans();
  });
});

describe('lines of a handler', () => {
  it('name job and trace, whoever logs them', async () => {
    const jobs = await here.connect();
    const { logger, lines } = quietTelemetry();
    await work(
      [
        handle(job, (_, { log }) => {
          log.info('by the context');
          logger.info('by a logger of the service');
        }),
      ],
      { logger },
    );
    const { id } = await jobs.publish(job, {});
    const [run] = await process(1);
    const named = {
      job_id: id,
      job_type: job.type,
      attempt: 1,
      queue: workQueue(),
      trace_id: run?.traceId,
      span_id: run?.spanId,
    };
    const line = (msg: string) => lines.find((entry) => entry['msg'] === msg);
    expect(line('by the context')).toMatchObject(named);
    expect(line('by a logger of the service')).toMatchObject(named);
    await eventually('it is settled', () => spans.all().some(({ name }) => name.startsWith('ack')));
  });
});

describe('exemplars', () => {
  it('name the trace of a run, unless it is not kept', async () => {
    await work([handle(job, () => {})]);
    const publish = (id: string, flags: string) => {
      const headers = { traceparent: `00-${TRACE.replace(/^../, id)}-${CALLER}-${flags}` };
      const properties = { messageId: id, headers, timestamp: Math.floor(Date.now() / 1_000) };
      return here.admin.publish('', workQueue(), '{}', properties);
    };
    const before = await metricValue(here.metrics, 'jobs_completed_total');
    await publish('aa', '01');
    await publish('bb', '00');
    await eventually(
      'both have ended',
      async () => (await metricValue(here.metrics, 'jobs_completed_total')) === before + 2,
    );
    const { text } = await here.metrics.expose('application/openmetrics-text');
    const kept = `# {trace_id="${TRACE.replace(/^../, 'aa')}"}`;
    const named = text.split('\n').filter((line) => line.includes(kept));
    expect(named.map((line) => line.replace(/\{.*/, ''))).toEqual([
      'jobs_queue_wait_seconds_bucket',
      'jobs_process_duration_seconds_bucket',
    ]);
    expect(text).not.toContain(TRACE.replace(/^../, 'bb'));
  });
});
