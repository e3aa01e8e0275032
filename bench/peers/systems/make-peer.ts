import type { JobSystem } from '../../systems/system.ts';
import type { BullmqSpec } from './bullmq.ts';
import type { GraphileWorkerSpec } from './graphile-worker.ts';
import type { PgBossSpec } from './pg-boss.ts';
import type { RabbitmqClientSpec } from './rabbitmq-client.ts';
import type { RascalSpec } from './rascal.ts';

/** What needs the packages of this folder. */
export type PeerSpec =
  | BullmqSpec
  | GraphileWorkerSpec
  | PgBossSpec
  | RabbitmqClientSpec
  | RascalSpec;

/** Makes a peer from plain data, in a process of its own: loads that one alone. */
export async function makePeer(spec: PeerSpec): Promise<JobSystem> {
  switch (spec.kind) {
    case 'bullmq':
      return new (await import('./bullmq.ts')).BullmqSystem(spec);
    case 'graphile-worker':
      return new (await import('./graphile-worker.ts')).GraphileWorkerSystem(spec);
    case 'pg-boss':
      return new (await import('./pg-boss.ts')).PgBossSystem(spec);
    case 'rabbitmq-client':
      return new (await import('./rabbitmq-client.ts')).RabbitmqClientSystem(spec);
    case 'rascal':
      return new (await import('./rascal.ts')).RascalSystem(spec);
  }
}
