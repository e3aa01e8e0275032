import type { HistoryBatch } from '@warren/history';

/** A reader of the history that is open. */
export interface OpenReader {
  /** Undefined while it reads. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** Opens readers of the history; they read until they are closed. */
export interface HistorySource {
  open(
    from: 'next' | number | { readonly sinceMs: number },
    onBatch: (batch: HistoryBatch) => void,
    onGap?: (from: number, to: number) => void,
  ): OpenReader;
}
