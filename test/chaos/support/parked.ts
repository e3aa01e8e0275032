import { AmqpAdmin } from '@warren/testing';
import type { QueueRole, Topology } from '@warren/topology';

/** Jobs that lie in queues where an operator finds them. */
export interface Parked {
  readonly all: ReadonlySet<string>;
  readonly dead: number;
  readonly unroutable: number;
}

/** Takes out what is left in an installation's queues at the end of a run, and says what it was. */
export async function parkedIds(url: string, topology: Topology): Promise<Parked> {
  const admin = await AmqpAdmin.connect(url);
  const all = new Set<string>();
  const counts: Partial<Record<QueueRole, number>> = {};
  try {
    for (const { name, role } of topology.queues) {
      const messages = await admin.take(name);
      counts[role] = (counts[role] ?? 0) + messages.length;
      for (const { properties } of messages) all.add(String(properties.messageId));
    }
  } finally {
    await admin.close();
  }
  return { all, dead: counts.dead ?? 0, unroutable: counts.unroutable ?? 0 };
}
