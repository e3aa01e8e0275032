import { setMaxListeners } from 'node:events';
import type { Delivery, ReceivedMessage } from '@warren/broker';
import type { Logger } from '@warren/telemetry';
import { AskOrRelease } from './ask-or-release.ts';
import type { Claim, ClaimsPort } from './claims-port.ts';
import { type Identified, isIdentified } from './identified.ts';
import { Lease } from './lease.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { Settler } from './settle.ts';

/** What the gate of one queue needs. */
export interface OnceGateOptions {
  readonly claims: ClaimsPort;
  /** Who claims: shown in the store. */
  readonly owner: string;
  /** The job type or subscriber: work and suspect queue share their claims. */
  readonly queue: string;
  readonly leaseMs: number;
  readonly settler: Pick<Settler, 'settle' | 'postpone' | 'release'>;
  readonly metrics: Pick<QueueMetrics, 'onceClaimed'>;
  readonly logger: Logger;
}

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Lets a job run whose claim is got. One that is done is completed with its kept result, one that another run has in hand
 * waits, and with a store that is away jobs are given back, ever more slowly. Nothing of that is spent.
 */
export class OnceGate {
  readonly #options: OnceGateOptions;
  readonly #stopping = new AbortController();
  readonly #gaveUp = new AbortController();
  readonly #store: AskOrRelease;

  constructor(options: OnceGateOptions) {
    this.#options = options;
    const { settler, metrics, logger, queue } = options;
    this.#store = new AskOrRelease({
      settler,
      stopping: this.#stopping.signal,
      onProblem(error, isFirst) {
        metrics.onceClaimed('unavailable');
        if (isFirst)
          logger.error({ err: error, queue }, 'jobs cannot be claimed; they are given back');
      },
    });
    // One listener for each delivery that waits, and all of them may.
    setMaxListeners(0, this.#stopping.signal, this.#gaveUp.signal);
  }

  /** The lease to run under; undefined when the delivery was settled without a run. */
  async enter(delivery: Delivery, message: Identified): Promise<Lease | undefined> {
    const claim = await this.#claim(delivery, message);
    if (!claim) return undefined;
    this.#options.metrics.onceClaimed(claim.kind);
    switch (claim.kind) {
      case 'claimed':
        return this.#leaseOf(message.id, claim.token);
      case 'done':
        await this.#complete(delivery, message, claim.result);
        return undefined;
      case 'busy':
        await this.#options.settler.postpone(delivery, message, { delayMs: waitMs(claim) });
        return undefined;
    }
  }

  /**
   * For a delivery that may not run, be it too old or unreadable: what was done before has succeeded all the same, and what
   * another run has in hand may yet. True when the delivery was settled for that.
   */
  async settles(delivery: Delivery, message: ReceivedMessage): Promise<boolean> {
    if (!isIdentified(message)) return false;
    const lease = await this.enter(delivery, message);
    await lease?.release();
    return lease === undefined;
  }

  /** From now on nothing waits for the store to begin. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Nor to end. */
  giveUp(): void {
    this.#gaveUp.abort();
  }

  #claim(delivery: Delivery, message: Identified): Promise<Claim | undefined> {
    const { claims, owner, queue, leaseMs } = this.#options;
    const { id } = message;
    return this.#store.ask(delivery, message, () => claims.claim({ queue, id, owner, leaseMs }));
  }

  async #complete(delivery: Delivery, message: Identified, result: unknown): Promise<void> {
    const outcome = { kind: 'succeeded', result } as const;
    const ended = { run: '', durationMs: 0, outcome };
    await this.#options.settler.settle(delivery, message, { kind: 'complete' }, ended);
  }

  #leaseOf(id: string, token: number): Lease {
    const { claims, queue, leaseMs, metrics, logger } = this.#options;
    return new Lease({
      claims,
      queue,
      id,
      token,
      leaseMs,
      gaveUp: this.#gaveUp.signal,
      onLost: () => metrics.onceClaimed('lost'),
      onProblem: (problem) =>
        logger.error({ job_id: id, queue, problem }, 'a result could not be kept; trying again'),
    });
  }
}

/** Until the other's lease ends, if he does not renew it. */
export function waitMs({ leaseEndsAtMs }: { readonly leaseEndsAtMs: number }): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, leaseEndsAtMs - Date.now()));
}
