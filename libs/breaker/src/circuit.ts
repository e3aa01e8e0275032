import type { CircuitState } from '@warren/telemetry';
import type { BreakerPolicy } from './breaker-options.ts';
import { Machine } from './machine.ts';
import type { Verdict } from './verdict.ts';

/** Leave to make one call. It must be ended, once; what comes later does nothing. */
export interface Permit {
  /** Says what the call told of the dependency. Resolves when the circuit's state follows from it; never rejects. */
  end(verdict: Verdict): Promise<void>;
}

/** Why there is no leave: the circuit lets nothing through now, or as many calls as may be are under way. */
export type Refusal = 'open' | 'full';

export interface CircuitOptions {
  readonly policy: Pick<
    BreakerPolicy,
    'volumeThreshold' | 'errorThresholdPercentage' | 'windowMs' | 'resetTimeoutMs' | 'capacity'
  >;
  readonly onState?: ((to: CircuitState, from: CircuitState) => void) | undefined;
}

/**
 * The state of one dependency. Calls that began in another state than the present one tell nothing of it any more: only
 * the one call that is tried half-open decides whether it closes.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #machine: Machine;
  readonly #listeners = new Set<() => void>();
  #override: 'open' | 'closed' | undefined;
  #state: CircuitState = 'closed';
  #sinceMs = Date.now();
  /** Raised with every state: tells late results. */
  #epoch = 0;
  #inHand = 0;
  #isTrying = false;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#machine = new Machine(options.policy, () => this.#update());
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** Since when it is in this state, ms since 1970. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** What an operator has set it to. */
  get override(): 'open' | 'closed' | undefined {
    return this.#override;
  }

  /** Calls under way. */
  get inHand(): number {
    return this.#inHand;
  }

  /** How many wait to hear of a change. */
  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** ms until it may let a call through; 0 unless it is open. One that an operator has opened does not say. */
  get waitMs(): number {
    if (this.#state !== 'open') return 0;
    return this.#override ? this.#options.policy.resetTimeoutMs : this.#machine.waitMs;
  }

  /** Asks for leave to make a call. */
  enter(): Permit | Refusal {
    if (this.#state === 'open' || (this.#state === 'half_open' && this.#isTrying)) return 'open';
    if (this.#inHand >= this.#options.policy.capacity) return 'full';
    this.#isTrying = this.#state === 'half_open';
    this.#inHand += 1;
    return this.#permit();
  }

  /** Tells whenever leave may be got that could not be got before. Returns what ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Holds it open or closed whatever happens; undefined lets it go: from open by trying one call, from closed closed. */
  force(override: 'open' | 'closed' | undefined): void {
    const before = this.#override;
    if (before === override) return;
    this.#override = override;
    if (before !== undefined) this.#machine.restart(before === 'open' ? 'half_open' : 'closed');
    this.#update();
  }

  /** Ends its timers. It stays as it is. */
  close(): void {
    this.#machine.close();
    this.#listeners.clear();
  }

  #permit(): Permit {
    const epoch = this.#epoch;
    let isOver = false;
    return {
      end: async (verdict) => {
        if (isOver) return;
        isOver = true;
        this.#inHand -= 1;
        if (epoch === this.#epoch && !this.#override && verdict !== 'neutral') {
          await this.#machine.record(verdict);
        }
        // What told nothing lets another be tried.
        if (epoch === this.#epoch) this.#isTrying = false;
        this.#tell();
      },
    };
  }

  #update(): void {
    const from = this.#state;
    this.#state = this.#override ?? this.#machine.state;
    if (this.#state === from) return;
    this.#epoch += 1;
    this.#sinceMs = Date.now();
    this.#isTrying = false;
    this.#options.onState?.(this.#state, from);
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
