import { isDeepStrictEqual } from 'node:util';
import type { PrefetchRange } from '@warren/broker';
import type { QueueCounts } from '@warren/contracts';
import type { AdaptiveLevel, Level } from './adaptive/adaptive-level.ts';
import { concurrencyOf, maxHeldOf, prefetchOf, withOperatorsCounts } from './concurrency.ts';
import type { HandlerRegistration } from './handle.ts';

/** What the level of one queue depends on. */
export interface QueueLevelOptions {
  readonly registration: HandlerRegistration;
  /** Suspects run one at a time, whatever is said. */
  readonly role: 'work' | 'suspect';
  /** Set where the concurrency is to be found out. */
  readonly adaptive: AdaptiveLevel | undefined;
  readonly hasHistory: boolean;
  /** Some jobs may have to wait while others go on. */
  readonly isKeyed: boolean;
}

/** How many of one queue run at once and are fetched: as an operator says, else as was found out, else as code and environment say. */
export class QueueLevel {
  readonly #options: QueueLevelOptions;
  #operators: QueueCounts = {};
  #toldPrefetch: number | PrefetchRange;

  constructor(options: QueueLevelOptions) {
    this.#options = options;
    this.#toldPrefetch = this.prefetch;
  }

  /** What an operator has set; nothing takes it back. @returns false where it has no say */
  setByOperator(counts: QueueCounts): boolean {
    if (this.#options.role === 'suspect') return false;
    this.#operators = counts;
    this.#options.adaptive?.hold(counts.concurrency !== undefined);
    return true;
  }

  get concurrency(): number {
    if (this.#options.role === 'suspect') return 1;
    return this.#found?.concurrency ?? concurrencyOf(this.#counted);
  }

  get prefetch(): number | PrefetchRange {
    const { role, hasHistory, isKeyed } = this.#options;
    return role === 'suspect' ? 1 : prefetchOf(this.#counted, hasHistory, isKeyed);
  }

  /** The prefetch where it is another one than before; set without need, a consumer would begin to adapt anew. */
  changedPrefetch(): number | PrefetchRange | undefined {
    const { prefetch } = this;
    if (isDeepStrictEqual(prefetch, this.#toldPrefetch)) return undefined;
    this.#toldPrefetch = prefetch;
    return prefetch;
  }

  /** Deliveries that may wait in hand for others of their key. */
  get maxHeld(): number {
    return maxHeldOf(this.#counted);
  }

  /** Undefined where somebody has said a number. */
  get #found(): Level | undefined {
    return this.#operators.concurrency === undefined ? this.#options.adaptive?.level : undefined;
  }

  get #counted(): HandlerRegistration {
    const found = this.#found && { concurrency: this.#found.reach };
    return withOperatorsCounts(this.#options.registration, { ...found, ...this.#operators });
  }
}
