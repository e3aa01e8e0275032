/** The message of a long job, with which it is published again. Fields are AMQP's. */
export interface LeasedMessage {
  readonly id: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A lease, named by the token that it was given with: afterwards others have greater ones. */
export interface LeaseKey {
  readonly queue: string;
  readonly id: string;
  readonly token: number;
}

/** What became of asking for a long job. */
export type LeaseTake =
  | {
      readonly kind: 'taken';
      readonly token: number;
      /** Runs of this attempt that ended with their process. */
      readonly crashes: number;
      /** The last one that was kept, as it was given. */
      readonly checkpoint: string | undefined;
    }
  /** A run of this attempt, or of a later one, goes on, and its message is kept: this delivery is not needed. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'busy'; readonly leaseEndsAtMs: number };

/** A long job whose lease has ended; it was given to whoever asked, to be published again. */
export interface ExpiredLease {
  readonly token: number;
  readonly crashes: number;
  readonly message: LeasedMessage;
}

/**
 * What a worker needs for long jobs: the leases of the store are such. All of it may reject: then it is unknown. What is true
 * or false says whether the lease is still the caller's.
 */
export interface LeasesPort {
  /**
   * The job is kept from then on, by `message.id`: its delivery may be acknowledged. Where the answer got lost, whoever asks
   * again by the same `request`, which nobody else uses, is given what he took, with the same token.
   */
  take(job: {
    queue: string;
    owner: string;
    request: string;
    leaseMs: number;
    generation: number;
    attempt: number;
    message: LeasedMessage;
  }): Promise<LeaseTake>;
  renew(lease: LeaseKey & { leaseMs: number }): Promise<boolean>;
  checkpoint(lease: LeaseKey & { state: string }): Promise<boolean>;
  /** The run is over and the message is to be published: from now on a copy that comes in may be that one. */
  settle(lease: LeaseKey & { leaseMs: number }): Promise<boolean>;
  /** The broker has the job again. Its checkpoint stays. */
  moved(lease: LeaseKey): Promise<boolean>;
  /** The job has ended. */
  ended(lease: LeaseKey): Promise<boolean>;
  /** Takes jobs whose leases have ended and whose routing key is `from`, for `leaseMs`. */
  expired(options: {
    queue: string;
    from: string;
    owner: string;
    leaseMs: number;
    limit: number;
  }): Promise<readonly ExpiredLease[]>;
  /** How many are kept, by queue and routing key, and how many of them nobody holds any more. */
  counts(): Promise<readonly { queue: string; from: string; running: number; expired: number }[]>;
}
