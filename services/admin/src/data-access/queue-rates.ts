import { z } from 'zod';
import type { Seen } from '../domain/doctor/finding.ts';
import type { QueueRates } from '../domain/queue-flow.ts';
import type { ManagementAccess } from './management-access.ts';
import { queuesSeen } from './management-seen.ts';

const COLUMNS = 'name,message_stats.publish_details.rate,message_stats.ack_details.rate';

const details = z.object({ rate: z.number() }).optional();
const ratedQueue = z.object({
  name: z.string(),
  // A queue that nothing has gone through has none.
  message_stats: z
    .union([
      z.object({ publish_details: details, ack_details: details }),
      z.array(z.never()).transform(() => ({})),
    ])
    .optional(),
});

/** How fast each queue fills and empties, as the management API tells, which is some seconds late. Never rejects. */
export async function queueRates(
  access: ManagementAccess,
): Promise<Seen<ReadonlyMap<string, QueueRates>>> {
  const told = await queuesSeen(access, COLUMNS, ratedQueue);
  if ('unseen' in told) return told;
  return { value: new Map(told.value.map((queue) => [queue.name, ratesOf(queue)])) };
}

function ratesOf({ message_stats = {} }: z.infer<typeof ratedQueue>): QueueRates {
  const { publish_details, ack_details } = message_stats as NonNullable<{
    publish_details?: { rate: number } | undefined;
    ack_details?: { rate: number } | undefined;
  }>;
  return { inPerSecond: publish_details?.rate ?? 0, outPerSecond: ack_details?.rate ?? 0 };
}
