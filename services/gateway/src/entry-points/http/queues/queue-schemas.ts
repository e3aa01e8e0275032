import { COUNT_LIMITS } from '@warren/contracts';
import { z } from 'zod';

const count = z.int().min(0);
const health = z.enum(['healthy', 'degraded']);

const counts = z.object({
  concurrency: z
    .int()
    .min(1)
    .max(COUNT_LIMITS.concurrency)
    .optional()
    .describe('Handlers that may run at once, in each process.'),
  prefetch: z
    .int()
    .min(1)
    .max(COUNT_LIMITS.prefetch)
    .optional()
    .describe(
      'Unsettled deliveries the broker may have out to each process; taken as at least the concurrency. Left out, as before.',
    ),
});

const report = z.object({
  queue: z.string().describe('The job type, or the subscriber.'),
  health,
  problem: z.string().optional(),
  paused: z.boolean(),
  set: counts
    .optional()
    .describe('What an operator has set in place of what code and environment say.'),
  consumers: count,
  ready: count.describe('Wait at the broker, to be taken.'),
  suspects: count.describe('Wait to be run one by one, since their worker died.'),
  dead: count.describe('Dead letters.'),
  jobs: z
    .record(z.string(), count)
    .optional()
    .describe('By state, those that have not ended; absent while the store is away.'),
  leased: count
    .optional()
    .describe(
      'Long jobs in hand under a lease, of which the broker knows nothing; absent while the store is away.',
    ),
  expiredLeases: count
    .optional()
    .describe('Leases of long jobs that nobody renewed; a worker publishes these jobs again.'),
});

/** Component schemas of what is told of queues. */
export const QUEUE_SCHEMAS = {
  Queue: report,
  Queues: z.object({ health, queues: z.array(report) }),
  QueueCounts: counts,
  QueueSet: z.object({ queue: z.string(), set: counts.optional() }),
  QueuePaused: z.object({ queue: z.string(), paused: z.boolean() }),
};
