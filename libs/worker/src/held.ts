import type { Original } from '@warren/broker';

/**
 * A message in hand, which is settled once. A delivery of the broker is one; what has been taken over from the broker before
 * it is settled is another.
 */
export interface Held extends Original {
  /** Somebody else has it, or is going to: nothing is settled any more. */
  readonly isLost: boolean;
  /** Calls `listener` once when it is lost, or now if it is. Returns how to stop that. */
  onLost(listener: (reason: string) => void): () => void;
  /**
   * Done with here: the job has ended or, where `next` says so, goes on elsewhere. `beforeAck` holds that back until it
   * settles, a second at most.
   * @returns whether it was settled by this call
   */
  ack(beforeAck?: Promise<void>, next?: 'moved'): boolean | Promise<boolean>;
  /** No copy of it can be published: whoever holds it is left to deal with it. */
  reject(): boolean;
  /** Gives it back as it is; undefined where only a copy can be published. */
  requeue?(): boolean;
}
