import { queueMigration, type Topology } from '@warren/topology';

/** Names of exchanges and queues that a user needs each right for. */
export interface NeededAccess {
  readonly configure: readonly string[];
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/** What RabbitMQ calls the default exchange where it tests rights. */
export const DEFAULT_EXCHANGE = 'amq.default';

/**
 * What the command `warren` needs: it declares everything, publishes and takes everything, holds a lock for each queue that it
 * replays, and for each that it migrates a lock and what messages wait in meanwhile.
 */
export function operatorAccess(topology: Topology): NeededAccess {
  const { exchanges, queues } = topology;
  const migrations = queues
    .filter(({ role }) => role !== 'stream' && role !== 'retry')
    .map(({ name }) => queueMigration(topology, name));
  const holding = migrations.map((migration) => migration.holding.name);
  const all = [...new Set([...exchanges, ...queues].map(({ name }) => name)), ...holding];
  const locks = migrations.flatMap((migration) => migration.locks);
  return {
    configure: [...all, ...locks],
    write: [...all, DEFAULT_EXCHANGE],
    read: [...all, ...locks],
  };
}
