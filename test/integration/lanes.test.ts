import { encodeControlSnapshot, type JobDefinition, LANES, type Lane } from '@warren/contracts';
import {
  anyJob,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const laned = (type: string) =>
  anyJob(type, {
    lanes: true,
    retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms', jitter: 'none' } },
  });
const [shared, kept, paused, guarded] = ['shared', 'kept', 'paused', 'guarded'].map((name) =>
  laned(`probe.${name}`),
) as [JobDefinition, JobDefinition, JobDefinition, JobDefinition];

let here: Installation;
beforeAll(async () => {
  here = await install([shared, kept, paused, guarded], { history: true });
});
afterAll(() => here.dispose());

let job: JobDefinition;

const queueOf = (lane: Lane) => here.topology.names.laneQueue(job.type, lane);
const depthOf = (lane: Lane) => here.admin.depth(queueOf(lane));

/** Publishes so many to each lane, and waits until they are there. */
async function fill(counts: Readonly<Record<Lane, number>>): Promise<void> {
  const jobs = await here.connect();
  for (const lane of LANES) {
    const payloads = Array<Lane>(counts[lane]).fill(lane);
    for await (const result of jobs.publishMany(job, payloads, { options: () => ({ lane }) })) {
      expect(result).toHaveProperty('id');
    }
  }
  await eventually('all wait', async () => {
    const depths = await Promise.all(LANES.map(depthOf));
    return LANES.every((lane, index) => depths[index] === counts[lane]);
  });
}

describe('the lanes of a job type', () => {
  it('share its slots by weight while all have work, and none is left idle when they have none', async () => {
    job = shared;
    await fill({ high: 120, normal: 60, low: 60 });
    const started: Lane[] = [];
    const queues = new Set<string>();
    let atOnce = 0;
    let most = 0;
    const full = new Gate();
    await here.work(
      [
        handle(
          job,
          async ({ payload, queue }) => {
            started.push(payload as Lane);
            queues.add(queue);
            atOnce += 1;
            most = Math.max(most, atOnce);
            if (started.length <= 2) await full.opened;
            await new Promise((resolve) => setTimeout(resolve, 2));
            atOnce -= 1;
          },
          { concurrency: 1, prefetch: 120 },
        ),
      ],
      { concurrency: { [job.type]: 2 } },
    );
    await eventually('all are in hand', async () => {
      const held = await Promise.all(
        LANES.map((lane) => metricValue(here.metrics, 'jobs_prefetched', { queue: queueOf(lane) })),
      );
      return held.reduce((sum, count) => sum + count, 0) === 238;
    });
    full.open();
    await eventually('all are done', () => started.length === 240);
    expect(most).toBe(2);
    expect([...queues].sort()).toEqual(LANES.map(queueOf).sort());
    const first = started.slice(2, 102);
    const counts = LANES.map((lane) => first.filter((one) => one === lane).length);
    for (const [index, share] of [60, 30, 10].entries()) {
      expect(Math.abs((counts[index] ?? 0) - share)).toBeLessThanOrEqual(2);
    }
  });

  it('keep a job through its retry, and lead into one queue of dead letters that knows the lane', async () => {
    job = kept;
    const runs = new Runs();
    await here.work([
      handle(job, (one) => {
        runs.add(one);
        throw new Error('no');
      }),
    ]);
    const jobs = await here.connect();
    const { id } = await jobs.publish(job, 1, { lane: 'high' });
    const later = await jobs.publish(job, 1, { lane: 'low', delay: '300ms' });
    const queuesOf = (of: string) => runs.of(of).map((run) => run.job.queue);
    const dead = here.topology.names.deadQueue(job.type);
    await eventually('both are dead', async () => (await here.admin.depth(dead)) === 2);
    expect(queuesOf(id)).toEqual([queueOf('high'), queueOf('high')]);
    expect(queuesOf(later.id)).toEqual([queueOf('low'), queueOf('low')]);
    const letters = await here.admin.take(dead);
    const origins = letters.map(({ properties }) => properties.headers?.['x-origin'] as unknown);
    expect(origins.sort()).toEqual([queueOf('high'), queueOf('low')]);
  });

  it('are paused as one; what had not started is given back to its own lane; a stop loses none', async () => {
    job = paused;
    const gate = new Gate();
    const runs = new Runs();
    const worker = await here.work([
      handle(
        job,
        async (one) => {
          runs.add(one);
          await gate.opened;
        },
        { concurrency: 1, prefetch: 5 },
      ),
    ]);
    await fillSlowly();
    const control = { pausedQueues: [job.type], atMs: Date.now() };
    const { names } = here.topology;
    await here.admin.publish('', names.control, encodeControlSnapshot(control), {
      persistent: true,
    });
    await eventually('all that had not started are back', async () => {
      const depths = await Promise.all(LANES.map(depthOf));
      return depths.reduce<number>((sum, depth) => sum + (depth ?? 0), 0) === 8;
    });
    for (const lane of LANES) {
      const expected = lane === runs.payloads[0] ? 2 : 3;
      expect(await depthOf(lane)).toBe(expected);
      const labels = { queue: queueOf(lane), reason: 'operator' };
      expect(await metricValue(here.metrics, 'jobs_consumer_paused', labels)).toBe(1);
    }
    gate.open();
    await worker.stop();
    expect(runs.all).toHaveLength(1);
  });

  it('wait together while the circuit of their handler is open, and spend no attempt', async () => {
    job = guarded;
    const runs = new Runs();
    let isAway = true;
    const worker = await here.work([
      handle(
        job,
        (one) => {
          runs.add(one);
          if (isAway) throw new Error('connect ECONNREFUSED');
        },
        {
          concurrency: 3,
          breaker: { name: 'smtp', resetTimeout: '200ms', volumeThreshold: 1 },
        },
      ),
    ]);
    const opened = () => worker.breakers()[0]?.circuits[0]?.state !== 'closed';
    const jobs = await here.connect();
    await jobs.publish(job, 'first');
    await eventually('the circuit is open', opened);
    await fillSlowly();
    const areHeld = () =>
      Promise.all(
        LANES.map((lane) =>
          metricValue(here.metrics, 'jobs_consumer_paused', {
            queue: queueOf(lane),
            reason: 'breaker',
          }),
        ),
      );
    await eventually('all lanes are paused', async () =>
      (await areHeld()).every((one) => one === 1),
    );
    isAway = false;
    await eventually('all have run', () => new Set(runs.all.map((run) => run.job.id)).size === 10);
    await eventually('it is closed', () => !opened());
    expect(Math.max(...runs.all.map((run) => run.job.attempt))).toBe(1);
    expect(await here.admin.depth(here.topology.names.deadQueue(job.type))).toBe(0);
  });
});

async function fillSlowly(): Promise<void> {
  const jobs = await here.connect();
  for (const lane of LANES) {
    for (let n = 0; n < 3; n += 1) await jobs.publish(job, lane, { lane });
  }
}
