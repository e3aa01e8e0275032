import type { BrokerSession } from '@warren/broker';
import type { Names } from '@warren/topology';

/**
 * For whoever is about to look at dead letters: what is in hand while their queue is declared anew would be missed there.
 * @throws LockHeldError naming who migrates the queue
 */
export function refuseWhileMigrated(
  session: BrokerSession,
  names: Pick<Names, 'migrationLock'>,
  queue: string,
): Promise<void> {
  return session.refuseLocked(names.migrationLock(queue));
}
