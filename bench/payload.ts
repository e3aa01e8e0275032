import { defineJob } from '@warren/contracts';
import { z } from 'zod';

/** About 1 kB, as the mail of an ordinary notification. */
export const payload = {
  to: 'someone@example.org',
  subject: 'Your order has been shipped',
  text: 'x'.repeat(900),
  order: 4711,
};

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
