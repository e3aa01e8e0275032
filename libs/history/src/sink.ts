import type { HistoryEvent } from './event.ts';

/** Takes what happens to jobs. To tell it never delays a job but for the moment that `recordFinal` asks for. */
export interface HistorySink {
  record(event: HistoryEvent): void;
  /**
   * As `record`, for the last event of a delivery: hold its ack until the promise settles (it never rejects). Undefined
   * where there is nothing to wait for, since the history cannot be written now.
   */
  recordFinal(event: HistoryEvent): Promise<void> | undefined;
}
