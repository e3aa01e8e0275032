import { ClaimLostError } from '@warren/contracts';
import type { Outcome } from '@warren/retry';
import type { ClaimsPort } from './claims-port.ts';
import type { Held } from './held.ts';
import { pauseWhileHeld } from './pause-while-held.ts';
import { Renewal } from './renewal.ts';
import type { Run } from './run-handler.ts';
import { encodeResult } from './run-result.ts';
import { within } from './within.ts';

/** What a lease is on, and who is told of it. */
export interface LeaseOptions {
  readonly claims: ClaimsPort;
  readonly queue: string;
  readonly id: string;
  readonly token: number;
  readonly leaseMs: number;
  /** The worker waits no longer for a store that does not answer. */
  readonly gaveUp: AbortSignal;
  onLost?(): void;
  /** The result could not be kept; it is tried again. */
  onProblem?(problem: string): void;
}

const RELEASE_TIMEOUT_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/** A claim in hand, renewed until its run is over. */
export class Lease {
  readonly token: number;
  readonly #options: LeaseOptions;
  readonly #job: { readonly queue: string; readonly id: string; readonly token: number };
  readonly #renewal: Renewal;
  #tellLost: ((detail: string) => void) | undefined;
  #lostBecause: string | undefined;

  constructor(options: LeaseOptions) {
    const { queue, id, token } = options;
    this.#options = options;
    this.token = token;
    this.#job = { queue, id, token };
    this.#renewal = new Renewal({
      leaseMs: options.leaseMs,
      renew: () => options.claims.renew({ ...this.#job, leaseMs: options.leaseMs }),
      onLost: (detail) => this.#lose(detail),
    });
  }

  /** Renews it from now on: what comes before its run may take longer than it lasts. To be released, or held, later. */
  keep(): void {
    this.#renewal.start();
  }

  /**
   * As `keep`; `onLost` is told once if it was not renewed for as long as it lasts, or another has taken it, by now or later.
   */
  hold(onLost: (detail: string) => void): void {
    this.#tellLost = onLost;
    if (this.#lostBecause === undefined) this.#renewal.start();
    else this.#lose(this.#lostBecause);
  }

  /**
   * Ends it with its run, and tells what came of that. The result is kept before anything is acknowledged: with a store that
   * is away this is repeated for as long as the delivery is held. A handler that goes on keeps its claim until it ends, so
   * that the next attempt does not run beside it.
   */
  async end({ outcome, ended }: Run, held: Pick<Held, 'isLost' | 'onLost'>): Promise<Outcome> {
    if (outcome.kind === 'succeeded') return this.#keep(outcome, held);
    if (ended) void ended.then(() => this.release());
    else await this.release();
    return outcome;
  }

  /** Gives it up: the next run need not wait. Bounded, never rejects. */
  async release(): Promise<void> {
    this.#renewal.stop();
    await within(RELEASE_TIMEOUT_MS, this.#options.claims.release(this.#job));
  }

  async #keep(
    outcome: Extract<Outcome, { kind: 'succeeded' }>,
    held: Pick<Held, 'isLost' | 'onLost'>,
  ): Promise<Outcome> {
    const { claims, gaveUp } = this.#options;
    const { result } = encodeResult(outcome.result);
    const kept = {
      ...this.#job,
      result: result === undefined ? null : (JSON.parse(result) as unknown),
    };
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
      try {
        const isKept = await claims.complete(kept);
        this.#renewal.stop();
        return isKept ? outcome : this.#lostWith('another run has taken it');
      } catch (error) {
        this.#options.onProblem?.((error as Error).message);
        if (!isOver(held, gaveUp)) await pauseWhileHeld(held, gaveUp, pauseMs);
        if (!isOver(held, gaveUp)) continue;
        this.#renewal.stop();
        return this.#lostWith('its result could not be kept');
      }
    }
  }

  #lostWith(detail: string): Outcome {
    return { kind: 'cancelled', error: new ClaimLostError(this.#options.queue, detail) };
  }

  #lose(detail: string): void {
    this.#lostBecause ??= detail;
    const tell = this.#tellLost;
    if (!tell) return;
    this.#tellLost = undefined;
    this.#options.onLost?.();
    tell(detail);
  }
}

function isOver({ isLost }: Pick<Held, 'isLost'>, gaveUp: AbortSignal): boolean {
  return isLost || gaveUp.aborted;
}
