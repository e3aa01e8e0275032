import { HEADERS } from '@warren/contracts';
import { AmqpAdmin } from '@warren/testing';
import type { Topology } from '@warren/topology';

/** Jobs that lie in queues at the end of a storm. */
export interface Parked {
  /** Dead letters, with the reason of each. */
  readonly dead: ReadonlyMap<string, string>;
  readonly unroutable: ReadonlySet<string>;
  /** In work, suspect and retry queues. */
  readonly waiting: ReadonlySet<string>;
}

/** Takes everything out of the queues of an installation. */
export async function takeParked(url: string, topology: Topology): Promise<Parked> {
  const dead = new Map<string, string>();
  const unroutable = new Set<string>();
  const waiting = new Set<string>();
  const admin = await AmqpAdmin.connect(url);
  try {
    for (const { name, role } of topology.queues) {
      for (const { properties } of await admin.take(name)) {
        const id = String(properties.messageId);
        if (role === 'dead') dead.set(id, String(properties.headers?.[HEADERS.deadReason]));
        else if (role === 'unroutable') unroutable.add(id);
        else waiting.add(id);
      }
    }
  } finally {
    await admin.close();
  }
  return { dead, unroutable, waiting };
}
