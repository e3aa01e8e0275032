import { type Duration, defineJob } from '@warren/contracts';
import { z } from 'zod';

/** So often by default; for a longer look by hand others can be given. */
export const LIMITED = {
  rate: Number(process.env['LIMIT_RATE'] ?? 20),
  per: (process.env['LIMIT_PER'] ?? '2s') as Duration,
  burst: Number(process.env['LIMIT_BURST'] ?? 3),
};

/** A job type whose limit all processes share. */
export const limitedCall = defineJob({
  type: 'crm.call',
  schema: z.object({ n: z.number() }),
  concurrency: 4,
  limit: LIMITED,
});
