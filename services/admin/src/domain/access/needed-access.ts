import type { Topology } from '@warren/topology';

/** Names of exchanges and queues that a user needs each right for. */
export interface NeededAccess {
  readonly configure: readonly string[];
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/** What RabbitMQ calls the default exchange where it tests rights. */
export const DEFAULT_EXCHANGE = 'amq.default';

/**
 * What the command `warren` needs: it declares everything, publishes and takes everything, and holds a lock for each queue
 * that it replays.
 */
export function operatorAccess({ names, exchanges, queues }: Topology): NeededAccess {
  const all = [...exchanges, ...queues].map(({ name }) => name);
  const unique = [...new Set(all)];
  const locks = queues
    .filter(({ role }) => role === 'dead' || role === 'unroutable')
    .map(({ name }) => names.replayLock(name));
  return {
    configure: [...unique, ...locks],
    write: [...unique, DEFAULT_EXCHANGE],
    read: [...unique, ...locks],
  };
}
