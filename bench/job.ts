import { defineJob } from '@warren/contracts';
import { z } from 'zod';

/** The job type of every scenario, with a schema that checks each field. */
export const benchJob = defineJob({
  type: 'bench.job',
  schema: z.object({
    to: z.email(),
    subject: z.string(),
    text: z.string(),
    order: z.number().int(),
  }),
  retry: { maxAttempts: 3, backoff: { kind: 'fixed', delay: '1s' } },
});
