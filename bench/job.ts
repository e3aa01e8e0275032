import { defineJob } from '@warren/contracts';
import { z } from 'zod';

const schema = z.object({
  to: z.email(),
  subject: z.string(),
  text: z.string(),
  order: z.number().int(),
});

const define = (type: string) =>
  defineJob({
    type,
    schema,
    retry: { maxAttempts: 3, backoff: { kind: 'fixed', delay: '1s' } },
  });

/** The job type of every scenario, with a schema that checks each field. */
export const benchJob = define('bench.job');

/** So many job types of the same kind; of one, the one of every scenario. */
export function benchJobs(count: number): readonly (typeof benchJob)[] {
  if (count === 1) return [benchJob];
  return Array.from({ length: count }, (_, number) => define(`bench.job-${number}`));
}
