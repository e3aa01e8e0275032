import type { Acceptance, Accepted, AcceptOptions } from '../outbox/types.ts';
import type { Uniqueness } from './uniqueness.ts';

/** A job to take over, unless another answers for its key. */
export interface UniqueAcceptance extends Omit<Acceptance, 'idempotency'> {
  readonly uniqueness: Uniqueness;
  /** No new job may be made of it at present: only what answers for its key already counts. */
  readonly knownOnly?: boolean | undefined;
}

/** What became of it. */
export type UniquelyAccepted =
  | Exclude<Accepted, { readonly kind: 'conflict' }>
  /** The job that waits has this payload now. */
  | { readonly kind: 'replaced'; readonly id: string }
  /** Nothing answers for the key, and no new job may be made. */
  | { readonly kind: 'refused' };

/** The part of the outbox that knows which requests are one job. */
export interface UniqueOutbox {
  /**
   * As `Outbox.accept`, for jobs with keys: of several with the same key at most one is made, whoever comes with it and however
   * many at once. What waits on purpose is left to relays once its wait is over, whatever `leaseMs` is.
   */
  acceptUnique(
    jobs: readonly UniqueAcceptance[],
    options?: AcceptOptions,
  ): Promise<readonly UniquelyAccepted[]>;
  /** What `Outbox.accept` would answer to a key that came before; undefined for one that is new. Nothing is written. */
  findKey(
    idempotency: NonNullable<Acceptance['idempotency']>,
  ): Promise<Extract<Accepted, { readonly kind: 'duplicate' | 'conflict' }> | undefined>;
  /** The job that waits is to be left as it is: a later request with its key makes another. */
  endReplacing(id: string): Promise<void>;
}
