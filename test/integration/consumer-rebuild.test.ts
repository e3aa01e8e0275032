import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import {
  anyJob,
  consumeQueue,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { concurrency: 20, cancelGrace: '100ms' });

let node: PrivateNode;
let here: Installation;
let runs: Runs;
beforeAll(async () => {
  node = await startPrivateNode();
}, 90_000);
afterAll(() => node?.stop());
beforeEach(async () => {
  runs = new Runs();
  here = await install([job], { url: node.url });
});
afterEach(() => here.dispose());

const queue = () => here.topology.names.workQueue(job.type);
const succeeded = () => metricValue(here.metrics, 'jobs_completed_total', { outcome: 'succeeded' });

/** Lines of the node's log about channels that it closed for a mistake of the client's. */
async function errorsInLog(): Promise<string[]> {
  const folder = join(node.dataDir, 'log');
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) =>
    text.split('\n').filter((line) => /PRECONDITION_FAILED/.test(line)),
  );
}

describe.skipIf(!canStartPrivateNode())('a work queue that is deleted', () => {
  it.each(['idle', 'busy'])('comes back with its bindings and a consumer: %s', async (state) => {
    const gate = new Gate();
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.payload === 'busy') await gate.opened;
    });
    const jobs = await here.connect();
    const worker = await here.work([handler]);
    if (state === 'busy') {
      await Promise.all(Array.from({ length: 30 }, () => jobs.publish(job, 'busy')));
      await runs.reach(20);
    }
    await here.admin.run((channel) => channel.deleteQueue(queue()));
    await eventually('it is consumed', async () => (await here.admin.consumers(queue())) === 1);
    gate.open();
    await eventually('the worker is ready', () => worker.readiness().ready);
    await jobs.publish(job, 'after');
    await eventually('a new job runs', () => runs.payloads.includes('after'));
    await eventually('it is counted', async () => (await succeeded()) === 1);
  });
});

describe.skipIf(!canStartPrivateNode())('handlers at work while connections are closed', () => {
  it('finish or run again: no job is lost, none is acked on a wrong channel', async () => {
    const jobs = await here.connect();
    const gates = [new Gate(), new Gate()];
    const done = new Set<unknown>();
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (runs.count <= 20) await gates[0]?.opened;
      else if (runs.count <= 40) await gates[1]?.opened;
      done.add(one.payload);
    });
    const worker = await here.work([handler]);
    const payloads = Array.from({ length: 60 }, (_, n) => n);
    await Promise.all(payloads.map((n) => jobs.publish(job, n)));
    await runs.reach(20);
    for (const gate of gates) {
      const before = runs.count;
      await node.closeAllConnections('on purpose');
      await eventually('it consumes again', () => worker.readiness().ready, 30_000);
      gate.open();
      await runs.reach(Math.min(before + 20, 80), 30_000);
    }
    await eventually('each is counted', async () => (await succeeded()) === 60, 30_000);
    expect(done.size).toBe(60);
    expect(runs.all.every(({ job: { attempt } }) => attempt === 1)).toBe(true);
    expect(await metricValue(here.metrics, 'jobs_late_settles_total')).toBeGreaterThanOrEqual(1);
    // The process lived, so that no job is suspected.
    expect(await metricValue(here.metrics, 'jobs_suspects_total')).toBe(0);
    expect(await errorsInLog()).toEqual([]);
  });
});

describe.skipIf(!canStartPrivateNode())('a paused consumer', () => {
  it('stays paused through reconnects, and goes on when it is resumed', async () => {
    await here.connect();
    const client = await consumeQueue({ ...here, type: job.type }, { prefetch: 10 });
    try {
      await client.consumer.pause();
      await node.closeAllConnections('on purpose');
      await eventually('it is back', () => client.broker.checks()['broker'] === 'ok', 30_000);
      await client.send('a', 'b', 'c');
      await node.closeAllConnections('again');
      await eventually('it is back', () => client.broker.checks()['broker'] === 'ok', 30_000);
      expect(client.deliveries).toHaveLength(0);
      await client.consumer.resume();
      await eventually('all come', () => client.deliveries.length === 3);
    } finally {
      await client.close();
    }
  });
});

describe.skipIf(!canStartPrivateNode())('a lost connection', () => {
  it('leaves nothing behind of what waited: prefetch holds afterwards', async () => {
    const gate = new Gate();
    const slow = { ...job, concurrency: 1, prefetch: 5 };
    const handler = handle(slow, async (one) => {
      runs.add(one);
      await gate.opened;
    });
    const jobs = await here.connect();
    const worker = await here.work([handler]);
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => jobs.publish(job, n)));
    const prefetched = () => metricValue(here.metrics, 'jobs_prefetched', { queue: queue() });
    await eventually('four wait', async () => (await prefetched()) === 4);
    await node.closeAllConnections('on purpose');
    await eventually('it consumes again', () => worker.readiness().ready, 30_000);
    // The first handler still holds the only slot, so all five wait now.
    await eventually('five wait', async () => (await prefetched()) >= 5);
    expect(await prefetched()).toBe(5);
    gate.open();
    await eventually('all succeed', async () => (await succeeded()) === 8);
  });
});
