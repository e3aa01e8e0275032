import { anyJob, eventually, install, metricValue } from '@warren/testing';
import { handle } from '@warren/worker';
import { expect, it, onTestFinished } from 'vitest';
import { startFaultyProxy } from '../chaos/support/faulty-proxy.ts';

const job = anyJob('probe.run', { concurrency: 5 });
const JOBS = 2_000;
/** There and back: more than the 100 ms that a prefetch covers by default. */
const ONE_WAY_MS = 60;

it('fetches more where the broker is far away, since few on the way keep no handler busy', async () => {
  const here = await install([job]);
  onTestFinished(() => here.dispose());
  const jobs = await here.connect();
  await jobs.publish(job, 'declares the queues');
  const payloads = Array.from({ length: JOBS }, (_, n) => n);
  await Promise.all(payloads.map((payload) => jobs.publish(job, payload)));
  const way = await startFaultyProxy(here.url);
  onTestFinished(() => way.stop());
  way.delay(ONE_WAY_MS);
  await here.work([handle(job, () => {})], { connection: { urls: [way.url] } });
  const queue = here.topology.names.workQueue(job.type);
  const prefetch = () => metricValue(here.metrics, 'jobs_consumer_prefetch', { queue });
  const most = 10 * 5;
  await eventually('as many as it may', async () => (await prefetch()) === most, 30_000);
  const done = () => metricValue(here.metrics, 'jobs_completed_total', { queue });
  await eventually('all are done', async () => (await done()) === JOBS + 1, 30_000);
  expect(await here.admin.depth(queue)).toBe(0);
});
