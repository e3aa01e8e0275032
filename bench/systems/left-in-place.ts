import type { JobSystem } from './system.ts';

/** The same system, whose queues are there for the next round; whoever runs the rounds disposes of it afterwards. */
export function leftInPlace(system: JobSystem): JobSystem {
  const { name, durability, settings, share, source } = system;
  return {
    ...{ name, durability, settings, share, source },
    prepare: () => system.prepare(),
    publisher: () => system.publisher(),
    worker: (onJob, concurrency) => system.worker(onJob, concurrency),
    dispose: async () => {},
  };
}
