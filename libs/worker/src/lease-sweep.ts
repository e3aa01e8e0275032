import { readMessage } from '@warren/broker';
import { type Logger, rememberNews } from '@warren/telemetry';
import { blame } from './admit.ts';
import { HeldByLease, type LeaseTerms } from './held-by-lease.ts';
import { identified } from './identified.ts';
import type { ExpiredLease } from './leases-port.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { Settler } from './settle.ts';

/** What the sweep of one queue needs. */
export interface LeaseSweepOptions {
  readonly terms: LeaseTerms;
  readonly owner: string;
  /** The job type or subscriber. */
  readonly queue: string;
  /** The queue at the broker, whose jobs go back to it. */
  readonly from: string;
  readonly isSuspectQueue: boolean;
  readonly settler: Pick<Settler, 'release' | 'refuse'>;
  readonly metrics: Pick<QueueMetrics, 'leasesKept'>;
  readonly logger: Logger;
  /** From 0 up to, not including, 1. */
  readonly random?: () => number;
}

/** As many at once: each waits for its confirm. */
const BATCH = 50;

/**
 * Finds long jobs of one queue whose worker died, and publishes them again. Every worker of the queue does so, now and then;
 * a job is given to one of them.
 */
export class LeaseSweep {
  readonly #options: LeaseSweepOptions;
  readonly #isNews = rememberNews();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: LeaseSweepOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#timer) this.#later(0);
  }

  /** Resolves when what it has in hand is settled. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** Twice in the time of a lease, give or take a half: others sweep too. */
  #later(fewestLeases: number): void {
    if (this.#isStopped) return;
    const { terms, random = Math.random } = this.#options;
    const delayMs = terms.leaseMs * (fewestLeases + (0.5 + random()) / 2);
    const dueAtMs = performance.now() + delayMs;
    this.#timer = setTimeout(() => {
      // This process stood still: it may not have renewed its own. That comes first.
      const isLate = performance.now() - dueAtMs > terms.leaseMs / 4;
      if (isLate) this.#later(0);
      else this.#sweeping = this.#sweep();
    }, delayMs).unref();
  }

  async #sweep(): Promise<void> {
    const { terms, owner, queue, from, logger } = this.#options;
    const { leases, leaseMs } = terms;
    try {
      const found = await leases.expired({ queue, from, owner, leaseMs, limit: BATCH });
      await Promise.all(found.map((one) => this.#publish(one)));
      await this.#count();
      this.#isNews('sweep', '');
      this.#later(0);
    } catch (error) {
      if (this.#isNews('sweep', (error as Error).message)) {
        logger.error({ err: error, queue: from }, 'leases of jobs cannot be looked through');
      }
      // A store that was away: those who run jobs get time to renew their leases first.
      this.#later(1);
    }
  }

  async #publish({ token, crashes, message }: ExpiredLease): Promise<void> {
    const { terms, queue, from, settler, logger } = this.#options;
    const held = new HeldByLease(terms, { queue, id: message.id, token }, message);
    const received = { ...identified(readMessage(held)), returns: crashes };
    logger.warn(
      { job_id: message.id, job_type: queue, queue: from, crashes },
      'the lease of a job ended without its run; the job is published again',
    );
    const blamed = blame(crashes, this.#options);
    if (blamed) await settler.refuse(held, received, blamed);
    else await settler.release(held, received);
    // Where that failed it is left to the next one.
    held.reject();
  }

  async #count(): Promise<void> {
    const { terms, queue, from, metrics } = this.#options;
    const counts = await terms.leases.counts();
    const own = counts.find((one) => one.queue === queue && one.from === from);
    metrics.leasesKept(own ?? { running: 0, expired: 0 });
  }
}
