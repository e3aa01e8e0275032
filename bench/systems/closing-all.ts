import type { JobSystem } from './system.ts';
import { withOther } from './with-other.ts';

/**
 * Calls `work` with the same system, and ends what it has opened and not ended, should it fail: a worker that is left would
 * take the jobs of whoever comes next.
 */
export async function closingAll<Result>(
  system: JobSystem,
  work: (system: JobSystem) => Promise<Result>,
): Promise<Result> {
  const opened = new Set<() => Promise<void>>();
  const noted = (end: () => Promise<void>) => {
    const endOnce = () => {
      opened.delete(endOnce);
      return end();
    };
    opened.add(endOnce);
    return endOnce;
  };
  const watched = withOther(system, {
    publisher: async () => {
      const publisher = await system.publisher();
      return {
        publish: (payload) => publisher.publish(payload),
        publishMany: (count, payloadAt) => publisher.publishMany(count, payloadAt),
        close: noted(() => publisher.close()),
      };
    },
    worker: async (onJob, concurrency) => {
      const worker = await system.worker(onJob, concurrency);
      return { stop: noted(() => worker.stop()) };
    },
  });
  try {
    return await work(watched);
  } finally {
    await Promise.allSettled([...opened].map((end) => end()));
  }
}
