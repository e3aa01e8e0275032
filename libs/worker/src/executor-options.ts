import type { Delivery } from '@warren/broker';
import type { Outcome } from '@warren/retry';
import type { Logger } from '@warren/telemetry';
import type { Cancellations } from './cancellations.ts';
import type { Gate } from './gate.ts';
import type { HandlerRegistration } from './handle.ts';
import type { JobHistory } from './job-history.ts';
import type { LongGate } from './long-gate.ts';
import type { OnceGate } from './once-gate.ts';
import type { OpenMoves } from './open-moves.ts';
import type { Pardons } from './pardons.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { Settler } from './settle.ts';

/** The queue whose deliveries are executed. */
export interface ExecutedQueue {
  readonly name: string;
  readonly isSuspectQueue: boolean;
  /** Set where the queue holds events. */
  readonly eventsExchange?: string | undefined;
}

/** What the executor of one queue needs. */
export interface ExecutorOptions {
  readonly registration: HandlerRegistration;
  readonly queue: ExecutedQueue;
  readonly settler: Settler;
  readonly metrics: QueueMetrics;
  readonly logger: Logger;
  readonly pardons: Pardons;
  readonly openMoves: OpenMoves;
  readonly history: JobHistory | undefined;
  /** A handler has ended. */
  readonly onRan?: ((delivery: Delivery, outcome: Outcome, runMs: number) => void) | undefined;
  readonly cancellations: Cancellations;
  readonly gate: Gate;
  /** Set where jobs run once only. */
  readonly once: OnceGate | undefined;
  /** Set where jobs are long. */
  readonly long: LongGate | undefined;
}
