import { once } from 'node:events';
import { HEADERS } from '@warren/contracts';
import { installedServer, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import {
  anyJob,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  openStoreBench,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';

const CONSUMER_TIMEOUT_MS = 1_500;
/** Twice among others, then three times alone; and one lost to something else. */
const MAX_RUNS = 6;
const job = anyJob('probe.run', { timeout: '1m', concurrency: 5 });
const long = anyJob('probe.long', { timeout: '2h', long: true });

/** Up to 4.2 the broker looks once a minute, and closes the channel; from 4.3 the queue does, and cancels the consumer. */
describe.skipIf(!installedServer())('a job that outlasts the consumer timeout', () => {
  let node: PrivateNode;
  let here: Installation;
  let runs: Runs;
  beforeAll(async () => {
    node = await startPrivateNode({ extraConfig: `consumer_timeout = ${CONSUMER_TIMEOUT_MS}` });
    await node.eval('application:set_env(rabbit, channel_tick_interval, 500).');
  });
  afterAll(async () => node?.stop());
  beforeEach(async () => {
    runs = new Runs();
    here = await install([job, long], { url: node.url });
  });
  afterEach(async () => here.dispose());

  it('is refused at start by a worker that knows of it, with what to change', async () => {
    const handler = handle(job, () => {});
    await expect(here.work([handler], { consumerTimeoutMs: 20_000 })).rejects.toMatchObject({
      setting: `job ${job.type}`,
      message: expect.stringMatching(
        /65000 ms\).*consumer_timeout \(20000 ms\).*Shorten the timeout.*rabbitmqctl set_policy/s,
      ),
    });
  });

  it('is taken back and run again, its attempt unspent; the consumer comes back by itself', async () => {
    const jobs = await here.connect();
    const reasons: unknown[] = [];
    const worker = await here.work([
      handle(job, async (one, { signal }) => {
        const isFirst = runs.of(one.id).length === 0;
        runs.add(one);
        if (one.payload !== 'long' || !isFirst) return;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        reasons.push((signal.reason as { code?: unknown }).code);
        throw new Error('stopped as asked');
      }),
    ]);
    const long = await jobs.publish(job, 'long');
    for (let n = 0; n < 20; n += 1) await jobs.publish(job, n);
    await runs.reach(22);
    expect(reasons).toEqual(['DELIVERY_LOST']);
    expect(runs.attemptsOf(long.id)).toEqual([1, 1]);
    await eventually('the worker consumes again', () => worker.readiness().ready);
    const later = await jobs.publish(job, 'later');
    await runs.reach(23);
    expect(runs.attemptsOf(later.id)).toEqual([1]);
    const { names } = here.topology;
    expect(await here.admin.depth(names.deadQueue(job.type))).toBe(0);
    expect(await here.admin.consumers(names.workQueue(job.type))).toBe(1);
  });

  it('every time ends as a dead letter, not in a loop; its neighbours finish', async () => {
    const jobs = await here.connect();
    await here.work([
      handle(job, async (one, { signal }) => {
        runs.add(one);
        if (one.payload === 'endless') await once(signal, 'abort');
      }),
    ]);
    const endless = await jobs.publish(job, 'endless');
    const neighbours: string[] = [];
    for (let n = 0; n < 20; n += 1) neighbours.push((await jobs.publish(job, n)).id);
    const dead = here.topology.names.deadQueue(job.type);
    await eventually('a dead letter', async () => (await here.admin.depth(dead)) === 1, 45_000);
    const [letter] = await here.admin.take(dead);
    expect(letter?.properties.messageId).toBe(endless.id);
    expect(letter?.properties.headers?.[HEADERS.deadReason]).toBe('poison');
    expect(new Set(runs.attemptsOf(endless.id)), 'no attempt is spent').toEqual(new Set([1]));
    expect(runs.of(endless.id).length).toBeLessThanOrEqual(MAX_RUNS);
    expect(neighbours.filter((id) => runs.of(id).length === 0)).toEqual([]);
  });

  it('runs on where it is long, for which its deliveries are not out', async () => {
    const jobs = await here.connect();
    const bench = await openStoreBench();
    onTestFinished(() => bench.dispose());
    const { leases } = bench.store;
    const [cut, ended] = [new Gate(), new Gate()];
    const worker = await here.work(
      [
        // Begun after the long one: whoever cuts it would have cut that as well.
        handle(job, async (_one, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          cut.open();
        }),
        handle(long, async (one, { signal }) => {
          runs.add(one);
          await jobs.publish(job, 'short');
          await cut.opened;
          signal.throwIfAborted();
          ended.open();
        }),
      ],
      { leases },
    );
    const { id } = await jobs.publish(long, 'long');
    await ended.opened;
    await eventually('it is done', async () => (await leases.counts()).length === 0);
    expect(runs.attemptsOf(id)).toEqual([1]);
    expect(await metricValue(here.metrics, 'jobs_completed_total', { job_type: long.type })).toBe(
      1,
    );
    await worker.stop();
  });
});
