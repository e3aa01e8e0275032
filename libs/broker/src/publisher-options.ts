import type { Publishable } from './outgoing-message.ts';
import type { BufferLimits } from './publish-queue.ts';

/** Bounds of a publisher; each has a default. */
export interface PublisherOptions {
  /** From call to confirm. Default 10,000. */
  readonly timeoutMs?: number;
  /** How long a publish may wait for a connection; 0 refuses at once. Default 5,000. */
  readonly maxWaitMs?: number;
  /** Messages sent and not yet confirmed; more wait in memory. Default 1,000. */
  readonly maxUnconfirmed?: number;
  /** Bounds of what waits in memory; `maxBytes` also of what is sent and not yet confirmed. Default 100,000 messages, 64 MiB. */
  readonly buffer?: BufferLimits;
}

/** What the publisher tells its owner, for metrics and repair. */
export interface PublisherEvents {
  /** A publish has ended; with the error that it rejects with, unless it is confirmed. */
  onOutcome?(message: Publishable, outcome: PublishOutcome, elapsedMs: number, error?: Error): void;
  /** An exchange is missing, or no queue took a message: declares the topology again, resolves with what is wrong then. */
  repair?(): Promise<string | undefined>;
  /** Its channel is open, for the first time or again. */
  onOpen?(): void;
  /** It was ended, and its channel is closed. */
  onEnded?(): void;
}

/** How a publish ended; the values of the metric label `outcome`. */
export type PublishOutcome = 'confirmed' | 'nacked' | 'returned' | 'timeout' | 'error';
