import type { JobSystem } from './system.ts';

/** The same system, but for what is given. */
export function withOther(system: JobSystem, other: Partial<JobSystem>): JobSystem {
  const { name, durability, settings, share, source } = system;
  return {
    name,
    durability,
    settings,
    share,
    source,
    prepare: () => system.prepare(),
    publisher: () => system.publisher(),
    worker: (onJob, concurrency) => system.worker(onJob, concurrency),
    dispose: () => system.dispose(),
    ...other,
  };
}
