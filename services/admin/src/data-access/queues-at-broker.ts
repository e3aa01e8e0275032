import { z } from 'zod';
import type { Seen } from '../domain/doctor/finding.ts';
import type { UndeclaredQueue } from '../domain/find-undeclared.ts';
import type { ManagementAccess } from './management-access.ts';
import { queuesSeen } from './management-seen.ts';

const queue = z.object({
  name: z.string(),
  messages: z.number().optional(),
  consumers: z.number().optional(),
});

/** Every queue of the virtual host with its figures, of the last seconds; or why they cannot be seen. Never rejects. */
export const queuesAtBroker = (
  access: ManagementAccess,
): Promise<Seen<readonly UndeclaredQueue[]>> =>
  queuesSeen(access, 'name,messages,consumers', queue);
