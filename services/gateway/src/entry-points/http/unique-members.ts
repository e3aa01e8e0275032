import { z } from 'zod';
import { duration, textOf } from './envelope-text.ts';

/** The options by which requests are one job. */
export const uniqueMembers = {
  unique: z
    .literal('active', "expected 'active'")
    .optional()
    .describe(
      'Makes no job while one of this type with the same `uniqueKey` has not ended: the answer is that job, with `duplicate`. Needs the store.',
    ),
  throttle: duration(
    'Makes no job for so long after one of this type with the same `uniqueKey`: the answer is that job, with `duplicate`. At most 365d. Needs the store',
    '10m',
  ),
  debounce: duration(
    'The job waits for so long, at most 24h. A further request with the same `uniqueKey` meanwhile replaces its payload and options, and the wait begins anew; the answer is that job, with `duplicate` and `replaced`. Needs `uniqueKey`, and the store',
    '30s',
  ),
  maxWait: duration(
    'With `debounce`: how long the first request waits at most, at most 7d. Default: ten times as long as `debounce`',
    '5m',
  ),
  uniqueKey: textOf('expected a string')
    .min(1, 'is empty')
    .optional()
    .describe(
      'With `unique`, `throttle` or `debounce`: what requests for one job have in common, at most 1,024 bytes. Default: their payload.',
    ),
};
