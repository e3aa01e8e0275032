import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { anyJob, eventually, Gate, type Installation, install, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { concurrency: 2, prefetch: 10, cancelGrace: '200ms' });
/** All bounds of a stop added up: pausing, grace, last moves, closing; with room for a slow machine. */
const STOP_WITHIN_MS = 40_000;

let node: PrivateNode;
beforeAll(async () => {
  node = await startPrivateNode();
}, 90_000);
afterAll(() => node?.stop());

async function busyWorker(here: Installation, runs: Runs, gate: Gate) {
  const handler = handle(job, async (one) => {
    runs.add(one);
    await gate.opened;
  });
  const worker = await here.work([handler], { shutdownGraceMs: 500 });
  const jobs = await here.connect();
  await Promise.all(Array.from({ length: 12 }, (_, n) => jobs.publish(job, n)));
  await runs.reach(2);
  return worker;
}

describe.skipIf(!canStartPrivateNode())(
  'a stop while the broker does not answer',
  { timeout: 120_000 },
  () => {
    it('is bounded, and starts nothing that waited', async () => {
      const [runs, gate] = [new Runs(), new Gate()];
      const here = await install([job], { url: node.url });
      try {
        const worker = await busyWorker(here, runs, gate);
        await node.pause();
        const startedAtMs = Date.now();
        const stopping = worker.stop();
        // What ran is done by now; its slot is free, and is not filled again.
        gate.open();
        await stopping;
        expect(Date.now() - startedAtMs).toBeLessThan(STOP_WITHIN_MS);
        expect(runs.count).toBe(2);
      } finally {
        node.resume();
      }
      const after = await here.work([handle(job, (one) => runs.add(one))]);
      await eventually('all have run', () => new Set(runs.payloads).size === 12, 30_000);
      expect(runs.all.every(({ job: { attempt } }) => attempt === 1)).toBe(true);
      await after.stop();
      await here.dispose();
    });

    it('is bounded when there is no broker any more', async () => {
      const [runs, gate] = [new Runs(), new Gate()];
      const here = await install([job], { url: node.url });
      const worker = await busyWorker(here, runs, gate);
      await node.kill();
      await eventually('it noticed', () => !worker.readiness().ready);
      const startedAtMs = Date.now();
      await worker.stop();
      expect(Date.now() - startedAtMs).toBeLessThan(STOP_WITHIN_MS);
      expect(runs.count).toBe(2);
      gate.open();
    });
  },
);
