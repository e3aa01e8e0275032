import type { Figures } from '../compare.ts';
import { countOf, onFreshQueue, perSecond, type Workload } from '../measure/workload.ts';
import type { Recording } from '../profile/recorder.ts';
import { type JobSystem, payloadsOf } from '../systems/system.ts';
import { startPart } from './start-part.ts';

const WARM_UP_SHARE = 4;

/** Jobs a second out of a full queue by a worker in a process of its own, once it is warm. */
export function consumeApart(
  system: JobSystem,
  load: Workload,
  record: Recording,
): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const count = countOf(load, system);
    const warmUp = Math.ceil(count / WARM_UP_SHARE);
    const publisher = await opening.publisher();
    await publisher.publishMany(warmUp + count, payloadsOf(load.payload));
    await publisher.close();
    const { concurrency } = load;
    const order = { role: 'worker', count, warmUp, concurrency, bytes: 0, record } as const;
    const worker = await startPart(system.source, order);
    try {
      await worker.warm;
      const startedAt = performance.now();
      await worker.done;
      const rate = perSecond(count, startedAt);
      await worker.stop();
      return { rate };
    } finally {
      worker.kill();
    }
  });
}
