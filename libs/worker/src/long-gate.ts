import { setMaxListeners } from 'node:events';
import { copyMessage, type Delivery } from '@warren/broker';
import type { Logger } from '@warren/telemetry';
import { blame } from './admit.ts';
import { AskOrRelease } from './ask-or-release.ts';
import type { LeaseTerms } from './held-by-lease.ts';
import type { Identified } from './identified.ts';
import { JobLease } from './job-lease.ts';
import { LeaseRequests } from './lease-requests.ts';
import type { LeasesPort, LeaseTake } from './leases-port.ts';
import { waitMs } from './once-gate.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { Routes } from './routes.ts';
import type { Settler } from './settle.ts';

/** What the gate of one queue needs. */
export interface LongGateOptions {
  readonly leases: LeasesPort;
  /** Who leases: shown in the store. */
  readonly owner: string;
  /** The job type or subscriber: work and suspect queue share their leases. */
  readonly queue: string;
  readonly isSuspectQueue: boolean;
  readonly leaseMs: number;
  readonly routes: Pick<Routes, 'toQueue'>;
  readonly settler: Pick<Settler, 'refuse' | 'postpone' | 'release'>;
  readonly metrics: Pick<QueueMetrics, 'leased'>;
  readonly logger: Logger;
}

/**
 * Takes long jobs over from the broker: the job is committed to the store, and only then its delivery acknowledged. From there
 * on the lease says who has it, for as long as it is renewed.
 */
export class LongGate {
  readonly #options: LongGateOptions;
  readonly #stopping = new AbortController();
  readonly #gaveUp = new AbortController();
  readonly #requests = new LeaseRequests();
  readonly #store: AskOrRelease;

  constructor(options: LongGateOptions) {
    this.#options = options;
    const { settler, metrics, logger, queue, leaseMs } = options;
    this.#store = new AskOrRelease({
      settler,
      stopping: this.#stopping.signal,
      // It may be that the lease was granted and only the answer got lost: then nobody else is given the job meanwhile.
      holdMs: leaseMs,
      onProblem(error, isFirst) {
        metrics.leased('unavailable');
        if (isFirst) logger.error({ err: error, queue }, 'jobs cannot be leased; they wait');
      },
    });
    // One listener for each job in hand.
    setMaxListeners(0, this.#stopping.signal, this.#gaveUp.signal);
  }

  get terms(): LeaseTerms {
    const { leases, leaseMs } = this.#options;
    return { leases, leaseMs, gaveUp: this.#gaveUp.signal };
  }

  /** The lease to run under; undefined when the delivery was settled without a run. */
  async enter(delivery: Delivery, message: Identified): Promise<JobLease | undefined> {
    const { leases, owner, queue, leaseMs, routes, settler, metrics } = this.#options;
    const { id, generation, attempt } = message;
    const copy = { id, ...copyMessage(delivery, message, routes.toQueue()) };
    const request = this.#requests.requestFor(message);
    const job = { queue, owner, request, leaseMs, generation, attempt, message: copy };
    const take = await this.#store.ask(
      delivery,
      message,
      () => leases.take(job),
      () => this.#requests.giveBack(message, request),
    );
    if (!take) return undefined;
    metrics.leased(take.kind);
    switch (take.kind) {
      case 'taken':
        return this.#begin(delivery, message, copy, take);
      case 'duplicate':
        delivery.ack();
        return undefined;
      case 'busy':
        await settler.postpone(delivery, message, { delayMs: waitMs(take) });
        return undefined;
    }
  }

  /** From now on nothing waits for the store to begin. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Nor to end, and nothing is renewed any more. */
  giveUp(): void {
    this.#gaveUp.abort();
  }

  async #begin(
    delivery: Delivery,
    message: Identified,
    copy: ReturnType<typeof copyMessage> & { readonly id: string },
    { token, checkpoint, crashes }: Extract<LeaseTake, { kind: 'taken' }>,
  ): Promise<JobLease | undefined> {
    const { queue, metrics, settler } = this.#options;
    const lease = new JobLease({
      ...this.terms,
      key: { queue, id: message.id, token },
      message: copy,
      checkpoint,
      onLost: () => metrics.leased('lost'),
    });
    // Where it is lost by now the broker delivers it again: to a run that goes on, that is a duplicate.
    delivery.ack();
    const blamed = blame(crashes, this.#options);
    if (!blamed) return lease;
    await settler.refuse(await lease.settle(), { ...message, returns: crashes }, blamed);
    return undefined;
  }
}
