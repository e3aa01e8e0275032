import type { Delivery, ReceivedMessage } from '@warren/broker';
import type { CancelledAdmission } from './admit.ts';
import type { Cancellations } from './cancellations.ts';
import type { Held } from './held.ts';
import type { Identified } from './identified.ts';
import type { JobLease } from './job-lease.ts';
import type { Lease } from './lease.ts';
import type { LongGate } from './long-gate.ts';
import type { OnceGate } from './once-gate.ts';
import type { Settler } from './settle.ts';

/** What the entrance of one queue needs. */
export interface EntranceOptions {
  /** The job type or subscriber. */
  readonly queue: string;
  readonly settler: Pick<Settler, 'refuse' | 'release'>;
  readonly cancellations: Cancellations;
  /** Set where jobs run once only. */
  readonly once: OnceGate | undefined;
  /** Set where jobs are long. */
  readonly long: LongGate | undefined;
}

/** What a run is begun with, besides its delivery. */
export interface Entered {
  readonly lease?: Lease;
  /** Set for a long job: its delivery is acknowledged. */
  readonly long?: JobLease;
}

const WITH_NOTHING: Entered = Object.freeze({});

/**
 * The last step before a handler starts. What was checked before may have taken long enough for the process to stop, the
 * delivery to be lost, or the job to be cancelled.
 */
export class Entrance {
  readonly #options: EntranceOptions;
  #isClosed = false;

  constructor(options: EntranceOptions) {
    this.#options = options;
  }

  /** With `once` a job may be done already, which only its claim says: until then nothing is cancelled. */
  cancelled(
    message: ReceivedMessage,
    claimed = !this.#options.once,
  ): CancelledAdmission | undefined {
    if (!claimed) return undefined;
    const { cancellations, queue } = this.#options;
    const request = cancellations.find(queue, message);
    return request && { kind: 'cancelled', by: request.by };
  }

  /** Whether the delivery was settled because its job was done before. To be asked before it ends in another way. */
  async settlesDone(delivery: Delivery, message: ReceivedMessage): Promise<boolean> {
    return (await this.#options.once?.settles(delivery, message)) ?? false;
  }

  /** What to run with; undefined when the delivery was settled without a run. */
  enter(delivery: Delivery, message: Identified): Entered | Promise<Entered | undefined> {
    const { once, long } = this.#options;
    if (!once && !long && !this.#mayNotStart(message, delivery)) return WITH_NOTHING;
    return this.#enterInTurn(delivery, message);
  }

  async #enterInTurn(delivery: Delivery, message: Identified): Promise<Entered | undefined> {
    if (await this.#endBefore(delivery, message)) return undefined;
    const { once } = this.#options;
    const lease = once && (await once.enter(delivery, message));
    if (once && !lease) return undefined;
    let entered: Entered | undefined;
    try {
      entered = await this.#enterLong(delivery, message, lease);
    } finally {
      if (!entered) await lease?.release();
    }
    return entered;
  }

  /** From now on nothing enters. */
  close(): void {
    this.#isClosed = true;
    this.#options.once?.stop();
    this.#options.long?.stop();
  }

  /** Nor is anybody waited for who is about to leave. */
  giveUp(): void {
    this.#options.once?.giveUp();
    this.#options.long?.giveUp();
  }

  async #enterLong(
    delivery: Delivery,
    message: Identified,
    lease: Lease | undefined,
  ): Promise<Entered | undefined> {
    const { long } = this.#options;
    const claimed = lease ? { lease } : WITH_NOTHING;
    if (lease && (await this.#endBefore(delivery, message, true))) return undefined;
    if (!long) return claimed;
    // A store that does not answer may be asked for longer than the claim lasts.
    lease?.keep();
    const job = await long.enter(delivery, message);
    if (!job) return undefined;
    // Without a claim, `once` is not asked for.
    if (!this.#mayNotStart(message, job, true)) return { ...claimed, long: job };
    await this.#endBefore(await job.settle(), message, true);
    return undefined;
  }

  #mayNotStart(message: Identified, { isLost }: Pick<Held, 'isLost'>, claimed?: true): boolean {
    return this.#isClosed || isLost || this.cancelled(message, claimed) !== undefined;
  }

  async #endBefore(held: Held, message: Identified, claimed?: true): Promise<boolean> {
    const { settler } = this.#options;
    if (!this.#mayNotStart(message, held, claimed)) return false;
    const cancelled = this.cancelled(message, claimed);
    if (cancelled) await settler.refuse(held, message, cancelled);
    else await settler.release(held, message);
    return true;
  }
}
