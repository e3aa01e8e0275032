import { setTimeout as pause } from 'node:timers/promises';
import type { Figures } from '../compare.ts';
import { percentile } from '../stats.ts';
import { type JobSystem, payloadsOf } from '../systems/system.ts';
import { countTo, onFreshQueue, type Workload } from './workload.ts';

/** A rate that is kept, whatever becomes of the jobs. */
export interface FixedRate extends Pick<Workload, 'concurrency' | 'payload'> {
  readonly perSecond: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 1;

/**
 * Milliseconds from when a job was due to be published to when its handler starts, publisher and worker in one process
 * by one clock. An open loop: jobs are published when they are due, also while earlier ones wait, so waiting is counted.
 */
export function latency(system: JobSystem, load: FixedRate): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const warmUp = load.perSecond * WARM_UP_SECONDS;
    const count = warmUp + load.perSecond * load.seconds;
    const tookMs = new Float64Array(count);
    const dueAt = (order: number) => startedAt + (order * 1_000) / load.perSecond;
    const counter = countTo(count);
    const worker = await opening.worker(({ order }) => {
      tookMs[order] = performance.now() - dueAt(order);
      counter.count();
    }, load.concurrency);
    const publisher = await opening.publisher();
    const payloadAt = payloadsOf(load.payload);
    const startedAt = performance.now();
    const published: Promise<unknown>[] = [];
    while (published.length < count) {
      while (published.length < count && dueAt(published.length) <= performance.now()) {
        published.push(publisher.publish(payloadAt(published.length)));
      }
      await pause(1);
    }
    await Promise.all([counter.reached, ...published]);
    await publisher.close();
    await worker.stop();
    const counted = tookMs.subarray(warmUp);
    return {
      p50: percentile(counted, 0.5),
      p99: percentile(counted, 0.99),
      p999: percentile(counted, 0.999),
    };
  });
}
