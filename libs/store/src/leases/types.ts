/** The message of a long job. Fields are AMQP's. */
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
  /** `crashes`: runs of this attempt that died with their process. `checkpoint`: the last one that was kept. */
  | {
      readonly kind: 'taken';
      readonly token: number;
      readonly crashes: number;
      readonly checkpoint: string | undefined;
    }
  /** A run of this attempt, or of a later one, goes on, and its message is here: this one is not needed. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'busy'; readonly leaseEndsAtMs: number };

/** A long job whose lease has ended, and who is to publish it again now. */
export interface ExpiredLease {
  readonly token: number;
  readonly crashes: number;
  readonly message: LeasedMessage;
}

/**
 * Long jobs while they run, with their messages: the broker has forgotten them. What is true or false says whether the lease
 * is still the caller's.
 */
export interface Leases {
  /**
   * The job is in the store from then on; its delivery may be acknowledged. Where the answer got lost, whoever asks again by
   * the same `request`, which nobody else uses, is given what he took, with the same token.
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
  /** Keeps `state`, in place of what was kept before, for later runs of this generation. */
  checkpoint(lease: LeaseKey & { state: string }): Promise<boolean>;
  /** The run is over and the message is to be published: a copy of it that comes in is not taken for a duplicate. */
  settle(lease: LeaseKey & { leaseMs: number }): Promise<boolean>;
  /** The broker has the message again. The checkpoint stays. */
  moved(lease: LeaseKey): Promise<boolean>;
  /** The job has ended. */
  ended(lease: LeaseKey): Promise<boolean>;
  /** Takes jobs whose leases have ended and that were to be published to the routing key `from`, for `leaseMs`. */
  expired(options: {
    queue: string;
    from: string;
    owner: string;
    leaseMs: number;
    limit: number;
  }): Promise<readonly ExpiredLease[]>;
  /** Jobs that are here, by queue and where they came from; `expired` is how many of them nobody holds any more. */
  counts(): Promise<readonly { queue: string; from: string; running: number; expired: number }[]>;
}
