import type { DeadLetter, Grouping, LetterView, Selection } from '@warren/dead-letter';

/** A dead letter as it may be shown: personal data is redacted. */
export interface ShownLetter
  extends Omit<DeadLetter, 'body' | 'contentEncoding' | 'headers'>,
    LetterView {
  readonly fingerprint: string;
  readonly payloadBytes: number;
}

/** Some of a queue's dead letters. */
export interface LetterPage {
  /** All that are there. */
  readonly depth: number;
  readonly letters: readonly ShownLetter[];
  /** `after` of the next page; undefined where nothing more is known to follow. */
  readonly next: number | undefined;
}

/** How much is in a queue of dead letters. */
export interface DeadQueue {
  /** As it is named in requests: the job type, or `jobs.unroutable`. */
  readonly queue: string;
  readonly dead: number;
}

/**
 * What can be seen of dead letters. Looking takes none and changes no order. A queue goes by its job type, or by its name. All
 * reject with QueueMissingError or BrokerUnavailableError.
 */
export interface LetterDesk {
  /** Those of all job types of this installation, and the unroutable. */
  queues(): Promise<readonly DeadQueue[]>;
  /** From the oldest; `after` is the position of the last one before. */
  list(
    queue: string,
    page: { readonly limit: number; readonly after: number; readonly selection: Selection },
  ): Promise<LetterPage>;
  groups(queue: string, selection: Selection): Promise<Grouping>;
  /** Undefined when there is none of this job. */
  find(queue: string, id: string): Promise<ShownLetter | undefined>;
}
