import { LeaseLostError } from '@warren/contracts';
import { Checkpoints } from './checkpoints.ts';
import type { Held } from './held.ts';
import { HeldByLease, type LeaseTerms } from './held-by-lease.ts';
import type { LeasedMessage, LeaseKey } from './leases-port.ts';
import { Loss } from './loss.ts';
import { Renewal } from './renewal.ts';
import { untilAnswered } from './until-answered.ts';

/** What a lease is on, and who is told when it is lost. */
export interface JobLeaseOptions extends LeaseTerms {
  readonly key: LeaseKey;
  readonly message: LeasedMessage;
  /** What an earlier run left, as JSON. */
  readonly checkpoint: string | undefined;
  onLost?(): void;
}

/** A long job in hand, renewed while it runs. Nobody else has it, and the broker has forgotten it. */
export class JobLease implements Pick<Held, 'isLost' | 'onLost'> {
  /** What the last checkpoint of an earlier run was; undefined where there is none. */
  readonly lastCheckpoint: unknown;
  readonly #options: JobLeaseOptions;
  readonly #loss = new Loss();
  readonly #renewal: Renewal;
  readonly #checkpoints: Checkpoints;
  #isOver = false;

  constructor(options: JobLeaseOptions) {
    const { leases, leaseMs, key, checkpoint } = options;
    this.#options = options;
    this.lastCheckpoint = checkpoint === undefined ? undefined : JSON.parse(checkpoint);
    this.#checkpoints = new Checkpoints((state) => this.#keep(state));
    this.#renewal = new Renewal({
      leaseMs,
      renew: () => leases.renew({ ...key, leaseMs }),
      onLost: (reason) => this.#lose(reason),
    });
    this.#renewal.start();
  }

  get isLost(): boolean {
    return this.#loss.isLost;
  }

  onLost(listener: (reason: string) => void): () => void {
    return this.#loss.onLost(listener);
  }

  /**
   * Resolves when this state, or one that came after it, is kept for later runs.
   * @throws ConfigInvalidError naming `checkpoint`; LeaseLostError
   */
  save(state: unknown): Promise<void> {
    return this.#checkpoints.save(state);
  }

  /**
   * Ends it with its run, and gives what is to be settled. Nothing may be published before: until the store knows that the run
   * is over, a copy of the job would be taken for a duplicate of this run. While the store is away this is repeated: also a
   * lease that has ended is still ours as long as nobody took it.
   */
  async settle(): Promise<Held> {
    const { leases, leaseMs, key, message, gaveUp } = this.#options;
    this.#isOver = true;
    this.#renewal.stop();
    const isOurs = await untilAnswered(() => leases.settle({ ...key, leaseMs }), NOT_LOST, gaveUp);
    if (isOurs) return new HeldByLease(this.#options, key, message);
    const reason = isOurs === false ? 'another run has taken it' : 'the store does not answer';
    return new HeldByLease(this.#options, key, message, reason);
  }

  async #keep(state: string): Promise<void> {
    const { leases, key, gaveUp } = this.#options;
    const isKept =
      !this.#isOver &&
      (await untilAnswered(() => leases.checkpoint({ ...key, state }), this, gaveUp));
    if (isKept) return;
    const reason = this.#isOver ? 'the run is over' : 'its checkpoint could not be kept';
    if (isKept === false) this.#lose(reason);
    throw new LeaseLostError(key.queue, reason);
  }

  #lose(reason: string): void {
    if (this.isLost || this.#isOver) return;
    this.#options.onLost?.();
    this.#loss.tell(reason);
  }
}

/** Whoever waits for the store to take the end of a run does so in any case. */
const NOT_LOST: Pick<Held, 'isLost' | 'onLost'> = { isLost: false, onLost: () => () => {} };
