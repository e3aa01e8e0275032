import { countsByType, exampleOfCounts } from './counts-by-type.ts';
import { wholeNumber } from './schemas.ts';
import { defineConfig, setting } from './setting.ts';

/**
 * Variables of every process that handles jobs, for `concurrency`, `prefetch` and `consumerTimeoutMs` of its worker.
 * @param jobTypes all of the installation: its processes may share one environment
 */
export const workerSettings = (jobTypes: readonly { readonly type: string }[]) => {
  const known = jobTypes.map(({ type }) => type);
  return defineConfig({
    CONCURRENCY: setting({
      schema: countsByType(known, { min: 1, max: 10_000 }).optional(),
      description: `jobs that may run at once in a process, by job type, such as ${exampleOfCounts(known)}; goes before what the code says`,
    }),
    PREFETCH: setting({
      schema: countsByType(known, { min: 1, max: 65_535 }).optional(),
      description: `jobs that a process may have in hand, by job type, such as ${exampleOfCounts(known)}; goes before what the code says, and is at least the concurrency`,
    }),
    CONSUMER_TIMEOUT_SECONDS: setting({
      schema: wholeNumber({ min: 1, max: 31_536_000 }),
      description:
        "the broker's consumer_timeout, which it does not tell: handlers that may take as long are refused at start",
      default: '1800',
    }),
  });
};
