import type { CircuitState } from '@warren/telemetry';
import CircuitBreaker from 'opossum';
import type { BreakerPolicy } from './breaker-options.ts';
import type { Verdict } from './verdict.ts';

type Result = Exclude<Verdict, 'neutral'>;

type MachinePolicy = Pick<
  BreakerPolicy,
  'volumeThreshold' | 'errorThresholdPercentage' | 'windowMs' | 'resetTimeoutMs'
>;

/** opossum 9 takes more than its types know. */
type Options = CircuitBreaker.Options<[Result]> & {
  readonly state?: { readonly closed: boolean; readonly halfOpen: boolean };
};

const PARTS_OF_WINDOW = 10;
/** opossum opens above its threshold, and never at 100 %: ours says from where on. */
const JUST_BELOW = 0.001;
const FAILURE = new Error('failure');

/**
 * opossum's rolling window and states, fed with results only. It never runs a call itself: it would count those under way,
 * those that say nothing, and its own capacity, and would close on a call that began before it opened (opossum 9.0.0).
 */
export class Machine {
  readonly #policy: MachinePolicy;
  readonly #onState: () => void;
  #breaker: CircuitBreaker<[Result], void>;
  #openedAtMs = 0;
  /** Failures since the last success. */
  #inARow = 0;

  constructor(policy: MachinePolicy, onState: () => void) {
    this.#policy = policy;
    this.#onState = onState;
    this.#breaker = this.#make('closed');
  }

  get state(): CircuitState {
    if (this.#breaker.opened) return 'open';
    return this.#breaker.halfOpen ? 'half_open' : 'closed';
  }

  /** ms until it is half-open, if it is open. */
  get waitMs(): number {
    return Math.max(0, this.#openedAtMs + this.#policy.resetTimeoutMs - Date.now());
  }

  /** Counts a result. Resolves when the state follows from it. */
  async record(result: Result): Promise<void> {
    const breaker = this.#breaker;
    await breaker.fire(result).catch(() => undefined);
    this.#inARow = result === 'failure' ? this.#inARow + 1 : 0;
    // Under load a share alone takes half a window to notice an outage: long enough to spend all attempts of many jobs.
    if (breaker.closed && this.#isCutOff()) breaker.open();
  }

  #isCutOff(): boolean {
    const { volumeThreshold } = this.#policy;
    return this.#inARow >= volumeThreshold && this.#breaker.stats.failures >= volumeThreshold;
  }

  /** Begins anew, with an empty window. */
  restart(state: 'closed' | 'half_open'): void {
    this.#breaker.shutdown();
    this.#inARow = 0;
    this.#breaker = this.#make(state);
  }

  /** Ends its timers. */
  close(): void {
    this.#breaker.shutdown();
  }

  #make(state: 'closed' | 'half_open'): CircuitBreaker<[Result], void> {
    const { volumeThreshold, errorThresholdPercentage, windowMs, resetTimeoutMs } = this.#policy;
    const options: Options = {
      timeout: false,
      resetTimeout: resetTimeoutMs,
      volumeThreshold,
      errorThresholdPercentage: errorThresholdPercentage - JUST_BELOW,
      rollingCountTimeout: windowMs,
      rollingCountBuckets: PARTS_OF_WINDOW,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      ...(state === 'half_open' && { state: { closed: false, halfOpen: true } }),
    };
    const breaker = new CircuitBreaker<[Result], void>(async (result) => {
      if (result === 'failure') throw FAILURE;
    }, options);
    breaker.on('open', () => {
      this.#openedAtMs = Date.now();
      this.#onState();
    });
    breaker.on('halfOpen', () => this.#onState());
    // Otherwise the failures from before it opened would open it again at the next one.
    breaker.on('close', () => {
      this.restart('closed');
      this.#onState();
    });
    return breaker;
  }
}
