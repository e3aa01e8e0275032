import { countsByType } from './counts-by-type.ts';
import { defineConfig, setting } from './setting.ts';

/**
 * Variables of every process that handles jobs, for `concurrency` and `prefetch` of its worker.
 * @param jobTypes all of the installation: its processes may share one environment
 */
export const workerSettings = (jobTypes: readonly { readonly type: string }[]) => {
  const known = jobTypes.map(({ type }) => type);
  return defineConfig({
    CONCURRENCY: setting({
      schema: countsByType(known, { min: 1, max: 10_000 }).optional(),
      description:
        'jobs that may run at once in a process, by job type, such as email.send=5,payment.charge=1; goes before what the code says',
    }),
    PREFETCH: setting({
      schema: countsByType(known, { min: 1, max: 65_535 }).optional(),
      description:
        'jobs that a process may have in hand, by job type, such as email.send=50; goes before what the code says, and is at least the concurrency',
    }),
  });
};
