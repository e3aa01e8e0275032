import type { ReplayReport, RunSettings, Selection } from '@warren/dead-letter';
import type { LetterRunKind, LetterRunRecord, LetterRuns } from '@warren/store';

/** What is to be done to dead letters. */
export interface RunRequest {
  readonly kind: LetterRunKind;
  /** The job type, or the queue's name. */
  readonly queue: string;
  readonly selection: Selection;
  readonly settings: RunSettings;
  readonly reason?: string | undefined;
  /** JSON merge patch of each payload; the ledger does not keep it. */
  readonly edit?: unknown;
}

/** What became of a wish about a run: `conflict` where its state does not allow it, `refused` where something is wrong with the wish. */
export type RunChange =
  | { readonly kind: 'done'; readonly run: LetterRunRecord }
  | { readonly kind: 'missing' }
  | { readonly kind: 'conflict'; readonly run: LetterRunRecord }
  | { readonly kind: 'refused'; readonly field: string; readonly message: string };

/** Replays and discards as work in the background, each in the ledger and in the audit. */
export interface RunDesk extends Pick<LetterRuns, 'find' | 'list'> {
  /** A dry run: what would be done. @throws QueueMissingError, BrokerUnavailableError */
  plan(request: RunRequest): Promise<ReplayReport>;
  /**
   * Resolves when it is under way.
   * @throws LockHeldError naming who takes from the queue; QueueMissingError, BrokerUnavailableError, StoreUnavailableError
   */
  start(request: RunRequest, by: string): Promise<LetterRunRecord>;
  /** Goes on with one that is not under way, with what it chose; `edit` where it was begun with one. @throws as `start` */
  resume(id: string, by: string, edit?: unknown): Promise<RunChange>;
  /** Asks whoever runs it to stop between two letters. @throws StoreUnavailableError */
  stop(id: string, by: string): Promise<RunChange>;
}
