import type { PublisherOptions } from '@warren/broker';
import type { EventDefinition, JobDefinition } from '@warren/contracts';
import type { ClientHistory } from './client-history.ts';
import type { DepthWatch } from './depth-watch.ts';
import type { Outlet } from './outbox/outlet.ts';

/** What belongs to a client. */
export interface ClientParts {
  readonly jobs: readonly JobDefinition[];
  readonly events: readonly EventDefinition[];
  /** Undefined where no history is kept. */
  readonly history: ClientHistory | undefined;
  readonly depths: DepthWatch;
  /** A job was not sent, since its queue is full. */
  onFull(jobType: string): void;
  openOutlet(options: PublisherOptions): Outlet;
  onClosed(): void;
}
