import { setTimeout as pause } from 'node:timers/promises';
import { defineJob } from '@warren/contracts';
import type { JobHandler } from '@warren/worker';
import { z } from 'zod';

/** A job that goes on from its last checkpoint. */
export const countUp = defineJob({
  type: 'count.up',
  schema: z.object({ to: z.number() }),
  long: true,
  // Longer than the broker would leave a delivery out.
  timeout: '2h',
  concurrency: 2,
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '1ms' } },
});

/** Where an earlier run left off. */
export const startOf = ({ lastCheckpoint }: { readonly lastCheckpoint: unknown }): number =>
  (lastCheckpoint as { at: number } | undefined)?.at ?? 0;

/** Counts, a checkpoint for each number, and returns where it began. */
export const count: JobHandler<typeof countUp> = async ({ payload }, context) => {
  const from = startOf(context);
  for (let at = from + 1; at <= payload.to; at += 1) {
    await context.checkpoint({ at });
    await pause(10, undefined, { signal: context.signal });
  }
  return { from };
};
