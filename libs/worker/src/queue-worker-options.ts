import type { Breakers } from '@warren/breaker';
import type { Broker, Delivery } from '@warren/broker';
import type { Lane } from '@warren/contracts';
import type { HistorySink } from '@warren/history';
import type { Logger, Metrics } from '@warren/telemetry';
import type { AdaptiveLevel } from './adaptive/adaptive-level.ts';
import type { Cancellations } from './cancellations.ts';
import type { ClaimsPort } from './claims-port.ts';
import type { Guard } from './guard.ts';
import type { HandlerRegistration } from './handle.ts';
import type { JobKeySlots } from './job-key-slots.ts';
import type { KeyOf } from './job-keys.ts';
import type { JobLimit } from './job-limit.ts';
import type { LaneSlots } from './lane-slots.ts';
import type { LeasesPort } from './leases-port.ts';
import type { LoopWatch } from './loop-watch.ts';
import type { OpenMoves } from './open-moves.ts';

/** What a queue's worker needs. */
export interface QueueWorkerOptions {
  readonly broker: Broker;
  readonly registration: HandlerRegistration;
  /** The work queue, or the queue of its suspects: those run one at a time. */
  readonly role: 'work' | 'suspect';
  /** Set where the job type has lanes: which one this is, and the slots that it shares with the others. */
  readonly lane?: { readonly name: Lane; readonly slots: LaneSlots<Delivery> };
  /** Set where the concurrency is to be found out, which all queues of the job type share. */
  readonly adaptive?: AdaptiveLevel | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Those of all queues of this process. */
  readonly openMoves: OpenMoves;
  readonly loopWatch: LoopWatch;
  /** The broker's own `consumer_timeout`. */
  readonly consumerTimeoutMs: number;
  /** Names this worker in the history. */
  readonly worker: string;
  /** Undefined where no history is kept. */
  readonly history: HistorySink | undefined;
  readonly cancellations: Cancellations;
  /** Those of all queues of this worker. */
  readonly breakers: Breakers;
  /** The breaker around the handler. */
  readonly guard: Guard | undefined;
  /** How often the handler may start. */
  readonly limit: JobLimit | undefined;
  /** How many of each key run at once: those of all lanes together. */
  readonly keySlots: JobKeySlots | undefined;
  /** By which jobs take turns. */
  readonly fairBy: KeyOf | undefined;
  /** Needed by jobs that run once only. */
  readonly claims: ClaimsPort | undefined;
  /** Needed by long jobs. */
  readonly leases: LeasesPort | undefined;
  readonly claimLeaseMs: number;
}
