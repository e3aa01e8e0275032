import { anyJob, eventually, type Installation, install, metricValue } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAX = 5;
const job = anyJob('probe.bounded', { maxDepth: MAX, lanes: true });

let here: Installation;
beforeEach(async () => {
  here = await install([job]);
});
afterEach(() => here.dispose());

const full = expect.objectContaining({ code: 'QUEUE_FULL', depth: MAX });
const depth = () => here.admin.depth(here.topology.names.workQueue(job.type));

it('takes no more jobs than may wait, by any way in, loses none, and goes on when some have run', async () => {
  const filling = await here.connect();
  for (let n = 0; n < MAX; n += 1) await filling.publish(job, n);
  await eventually('they wait', async () => (await depth()) === MAX);
  // One who has just come asks before its first publish.
  const jobs = await here.connect();
  await eventually('it is connected', () => jobs.readiness().ready);
  await expect(jobs.publish(job, 'more')).rejects.toThrow(full);
  await expect(jobs.publish(job, 'later', { delay: '1h' })).rejects.toThrow(full);
  await expect(jobs.prepare(job.type, 'for the outbox')).rejects.toThrow(full);
  for await (const result of jobs.publishMany(job, ['a', 'b'])) {
    expect(result).toMatchObject({ error: full });
  }
  // A lane has room of its own.
  const urgent = await jobs.publish(job, 'urgent', { lane: 'high' });
  expect(await depth()).toBe(MAX);
  const refused = { job_type: job.type, outcome: 'error' };
  expect(await metricValue(here.metrics, 'jobs_published_total', refused)).toBe(5);

  const ran: unknown[] = [];
  await here.work([
    handle(job, ({ id, payload }) => ran.push(id === urgent.id ? 'high' : payload)),
  ]);
  await eventually('all have run', () => ran.length === MAX + 1);
  await eventually('there is room again', () =>
    jobs.publish(job, 'again').then(
      () => true,
      () => false,
    ),
  );
  await eventually('it has run', () => ran.includes('again'));
  expect(ran.filter((one) => one !== 'again').sort()).toEqual([0, 1, 2, 3, 4, 'high']);
});
