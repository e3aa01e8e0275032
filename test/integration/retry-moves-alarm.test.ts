import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
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

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
  concurrency: 4,
});

let node: PrivateNode;
let here: Installation;
beforeAll(async () => {
  node = await startPrivateNode();
  here = await install([job], { url: node.url });
}, 90_000);
afterAll(async () => {
  await here?.dispose();
  await node?.stop();
});

describe.skipIf(!canStartPrivateNode())('moves while the broker has a memory alarm', () => {
  it('are held and made afterwards; no handler runs again for them', async () => {
    const runs = new Runs();
    const gates = { first: new Gate(), second: new Gate() };
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.attempt > 1) return;
      await gates[one.payload as keyof typeof gates].opened;
      throw new Error('once');
    });
    // No move's answer may become unknown, however slow the machine is.
    await here.work([handler], { publish: { timeoutMs: 50_000 } });
    const jobs = await here.connect();
    const value = (name: string, labels = {}) => metricValue(here.metrics, name, labels);
    const paused = () => value('jobs_consumer_paused', { queue });
    const queue = here.topology.names.workQueue(job.type);
    const ids = await Promise.all(
      Object.keys(gates).map(async (name) => (await jobs.publish(job, name)).id),
    );
    await runs.reach(2);
    await node.setMemoryAlarm(true);
    // The broker tells a connection that it is blocked once something is published on it.
    gates.first.open();
    await eventually('it is blocked', async () => (await value('jobs_connection_blocked')) > 0);
    gates.second.open();
    await eventually('the queue is paused', async () => (await paused()) === 1);
    expect(runs.count).toBe(2);
    await node.setMemoryAlarm(false);
    const succeeded = () => value('jobs_completed_total', { outcome: 'succeeded' });
    await eventually('all succeed', async () => (await succeeded()) === 2, 30_000);
    for (const id of ids) expect(runs.attemptsOf(id)).toEqual([1, 2]);
    expect(await paused()).toBe(0);
    expect(await value('jobs_move_retries_total', { queue })).toBeGreaterThanOrEqual(1);
  });
});
