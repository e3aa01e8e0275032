import {
  type CancelRequest,
  defineJob,
  encodeCancelRequest,
  encodeControlSnapshot,
} from '@warren/contracts';
import {
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  Runs,
  type SeenHistory,
  seeHistory,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const job = defineJob({ type: 'probe.run', schema: z.object({}), cancelGrace: '100ms' });

let here: Installation;
let history: SeenHistory;
beforeEach(async () => {
  here = await install([job], { history: true });
  history = seeHistory(here);
});
afterEach(async () => {
  await history.close();
  await here.dispose();
});

/** Writes a message to one of the streams, as whoever controls the workers does. */
async function tell(stream: 'cancels' | 'control', body: Buffer): Promise<void> {
  const name = here.topology.names[stream];
  await eventually('it is there', async () => (await here.admin.depth(name)) !== undefined);
  await here.admin.publish('', name, body, { persistent: true });
}
const cancel = (id: string, bounds: Partial<CancelRequest> = {}) =>
  tell('cancels', encodeCancelRequest({ id, by: 'ada', atMs: Date.now(), ...bounds }));
const pause = (...pausedQueues: string[]) =>
  tell('control', encodeControlSnapshot({ pausedQueues, atMs: Date.now() }));

const depth = () => here.admin.depth(here.topology.names.workQueue(job.type));
const cancelled = () =>
  metricValue(here.metrics, 'jobs_completed_total', { outcome: 'cancelled', job_type: job.type });

describe('a job that is cancelled', () => {
  it('before it runs never does, also when no worker was there to hear it', async () => {
    const jobs = await here.connect();
    const [gone, meant, kept] = await Promise.all([1, 2, 3].map(() => jobs.publish(job, {})));
    const runs = new Runs();
    await cancel(gone?.id ?? '', { generation: 0 });
    await cancel(meant?.id ?? '', { queue: 'another' });
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(2);
    expect((await history.until(gone?.id ?? '', 'cancelled')).at(-1)).toMatchObject({
      by: 'ada',
      run: '',
    });
    expect(runs.all.map(({ job: { id } }) => id).sort()).toEqual([meant?.id, kept?.id].sort());
    await eventually('nothing is left', async () => (await depth()) === 0);
    expect(await cancelled()).toBe(1);
  });

  it('while it runs has its signal aborted, and is not run again', async () => {
    const jobs = await here.connect();
    const runs = new Runs();
    const reasons: unknown[] = [];
    await here.work([
      handle(job, (one, { signal }) => {
        runs.add(one);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('stopped half way'));
          });
        });
      }),
    ]);
    const { id } = await jobs.publish(job, {});
    await runs.reach(1);
    await cancel(id);
    const told = await history.until(id, 'cancelled');
    expect(told.at(-1)).toMatchObject({ by: 'ada', run: expect.stringMatching(/^.{36}$/) });
    expect(reasons).toMatchObject([{ code: 'JOB_CANCELLED', by: 'ada' }]);
    await eventually('nothing is left', async () => (await depth()) === 0);
    expect([runs.count, await cancelled()]).toEqual([1, 1]);
    expect(told.filter(({ kind }) => kind === 'retrying')).toEqual([]);
  });

  it('while its handler pays no heed is settled all the same, and the handler told of', async () => {
    const jobs = await here.connect();
    const [running, end] = [new Gate(), new Gate()];
    await here.work([
      handle(job, async () => {
        running.open();
        await end.opened;
      }),
    ]);
    const { id } = await jobs.publish(job, {});
    await running.opened;
    await cancel(id);
    await history.until(id, 'cancelled');
    const abandoned = () => metricValue(here.metrics, 'jobs_abandoned_handlers');
    await eventually('it counts as abandoned', async () => (await abandoned()) === 1);
    expect(here.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', job_id: id, queue: expect.any(String) }),
    );
    end.open();
    await eventually('it has ended', async () => (await abandoned()) === 0);
    expect((await history.until(id, 'cancelled')).at(-1)?.kind).toBe('cancelled');
  });
});

describe('a queue that is paused', () => {
  it('is not consumed, also by workers that start later, until the last word says otherwise', async () => {
    const jobs = await here.connect();
    const runs = new Runs();
    const handler = [handle(job, (one) => runs.add(one))];
    const first = await here.work(handler);
    await jobs.publish(job, {});
    await runs.reach(1);
    const queue = here.topology.names.workQueue(job.type);
    const consumers = () => here.admin.consumers(queue);
    await pause('another', job.type);
    await eventually('nobody consumes', async () => (await consumers()) === 0);
    await jobs.publish(job, {});
    expect(first.readiness()).toMatchObject({ ready: true });
    await first.stop();
    const second = await here.work(handler);
    expect([runs.count, await depth(), second.readiness().ready]).toEqual([1, 1, true]);
    expect(
      await metricValue(here.metrics, 'jobs_consumer_paused', { queue, reason: 'operator' }),
    ).toBe(1);
    await pause('another');
    await runs.reach(2);
  });
});
