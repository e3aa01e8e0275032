import type { Figures } from '../compare.ts';
import { countOf, onFreshQueue, perSecond, type Workload } from '../measure/workload.ts';
import type { Recording } from '../profile/recorder.ts';
import type { JobSystem } from '../systems/system.ts';
import type { PartOrder } from './messages.ts';
import { startPart } from './start-part.ts';

/** What is recorded of the processes; of one that is not named, nothing. */
export type RecordingOf = Readonly<Partial<Record<PartOrder['role'], Recording>>>;

const MEASURED_JOBS = 10_000;
const WARM_UP_SHARE = 4;

/**
 * Publisher and worker in a process each, as they are deployed: jobs a second, once both are warm, from the word to begin to the
 * last job handled, CPU seconds that both took for 10,000 jobs, what the worker holds of the memory then, and how long it took
 * from its start until it was connected.
 */
export function endToEndApart(
  system: JobSystem,
  load: Workload,
  recordings: RecordingOf = {},
): Promise<Figures> {
  return onFreshQueue(system, async () => {
    const count = countOf(load, system);
    const bytes = JSON.stringify(load.payload).length;
    const start = (role: PartOrder['role']) =>
      startPart(system.source, {
        role,
        count,
        warmUp: Math.ceil(count / WARM_UP_SHARE),
        concurrency: load.concurrency,
        bytes,
        handlerMs: load.handlerMs,
        record: recordings[role],
      });
    const launchedAt = performance.now();
    const worker = await start('worker');
    const startUp = performance.now() - launchedAt;
    const publisher = await start('publisher');
    try {
      publisher.go();
      await Promise.all([publisher.warm, worker.warm]);
      const startedAt = performance.now();
      publisher.go();
      const worked = await worker.done;
      const rate = perSecond(count, startedAt);
      const published = await publisher.done;
      await Promise.all([publisher.stop(), worker.stop()]);
      const cpuSeconds = worked.cpuSeconds + published.cpuSeconds;
      return { rate, cpu: (cpuSeconds / count) * MEASURED_JOBS, rss: worked.rssMb, startUp };
    } finally {
      publisher.kill();
      worker.kill();
    }
  });
}
