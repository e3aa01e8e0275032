import type { LetterRecord, Selection } from '@warren/dead-letter';

/** What is to be exported. */
export interface ExportRequest {
  readonly queue: string;
  readonly selection: Selection;
  readonly limit?: number | undefined;
  /** Leaves personal data in; without it, such lines cannot be imported. */
  readonly showPii: boolean;
  readonly reason?: string | undefined;
}

/** What is to be imported. */
export interface ImportRequest {
  readonly records: readonly LetterRecord[];
  /** Replays them: to the queues that they failed in. */
  readonly toQueue: boolean;
  readonly reason?: string | undefined;
}

/** What an import did. */
export interface ImportOutcome {
  readonly imported: number;
  /** What could not be published, by its number among the records, from 1. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** Dead letters out of the broker and into it, each time written down in the audit first. */
export interface TransferDesk {
  /**
   * Writes one after the other and takes none. Resolves with why it ended early; undefined when it came to its end.
   * @throws LockHeldError naming who takes from the queue; QueueMissingError, BrokerUnavailableError, StoreUnavailableError
   */
  export(
    request: ExportRequest,
    by: string,
    write: (record: LetterRecord) => Promise<void>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** @throws QueueMissingError for a record of no queue of dead letters, before any is published; BrokerUnavailableError, StoreUnavailableError */
  import(request: ImportRequest, by: string): Promise<ImportOutcome>;
}
