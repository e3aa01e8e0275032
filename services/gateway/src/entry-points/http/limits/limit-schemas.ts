import { z } from 'zod';

const count = z.int().min(0);
const starts = z.int().min(1).max(1_000_000);
const per = z.string().describe('Such as `1s`, `1m` or `1h`; up to 24 days.');
const rate = {
  rate: starts.describe('Starts of handlers in each `per`, spread evenly.'),
  per,
};
const burst = starts.describe('Starts that may come at once after a rest.');
const rule = z.object({ ...rate, burst });

const limit = z.object({
  name: z.string(),
  scope: z
    .enum(['global', 'process'])
    .optional()
    .describe(
      'Counted for all workers together, or in each by itself. Absent, as is `rule`, for one that is only known by name: no worker tells of it, and no job type of this gateway defines it.',
    ),
  queues: z.array(z.string()).describe('Job types and subscribers that it holds back.'),
  by: z
    .string()
    .optional()
    .describe('By what it tells jobs apart, each with as much; absent for one limit for all.'),
  ownRates: z
    .boolean()
    .describe('Whether some keys have rates of their own, as long as no operator sets one.'),
  rule: rule.optional().describe('What is valid.'),
  source: z
    .enum(['code', 'environment', 'operator'])
    .optional()
    .describe('Who says what is valid.'),
  definitions: z
    .array(
      z.object({
        rule,
        source: z.enum(['code', 'environment']),
        setting: z.string().optional().describe('Of the environment.'),
        workers: count,
      }),
    )
    .describe(
      'What is valid without an operator; several where workers differ, the most common one first.',
    ),
  use: z
    .object({
      keys: count.describe('Keys of which something is used.'),
      busiest: z.array(
        z.object({
          key: z.string().describe('Long or odd ones by their hash; empty for one limit for all.'),
          left: count.describe('To be had at once, of `burst`.'),
          burst: starts,
          freeInMs: z.number().min(0).describe('Until the next start is to be had.'),
          putOffMs: z.number().min(0).describe('How far ahead jobs were put off.'),
        }),
      ),
    })
    .optional()
    .describe(
      'By the store, of limits for all workers together; absent for others, and while the store is away.',
    ),
});

/** Component schemas of what is told of limits. */
export const LIMIT_SCHEMAS = {
  Limits: z.object({ limits: z.array(limit) }),
  LimitRate: z.object({
    ...rate,
    burst: burst.optional().describe('Default: a tenth of a second’s worth, at least 1.'),
  }),
  LimitSet: z.object({
    name: z.string(),
    set: z.object({ ...rate, burst: burst.optional() }).optional(),
  }),
};
