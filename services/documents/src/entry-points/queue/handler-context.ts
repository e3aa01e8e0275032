import type { Logger } from '@warren/telemetry';
import type { JobContext } from '@warren/worker';

/** What the handlers use of their context. */
export interface HandlerContext extends Pick<JobContext, 'signal' | 'progress'> {
  readonly log: Pick<Logger, 'info'>;
}
