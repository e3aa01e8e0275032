import { isDeepStrictEqual } from 'node:util';
import { ConfigInvalidError, checkBreakerName } from '@warren/contracts';
import { Breaker, type BreakerDeps, type CircuitView } from './breaker.ts';
import { type BreakerOptions, resolveBreakerPolicy } from './breaker-options.ts';

/** One breaker, as people see it. */
export interface BreakerView {
  readonly name: string;
  /** Job types and subscribers whose handlers need it; those that only make calls through it, once it has cut one off. */
  readonly queues: readonly string[];
  readonly circuits: readonly CircuitView[];
}

/** Breakers that are held open or closed by hand, by name. */
export type BreakerOverrides = Readonly<Record<string, 'open' | 'closed'>>;

/** The breakers of a worker, by the name of what they guard. */
export class Breakers {
  readonly #deps: BreakerDeps;
  readonly #byName = new Map<string, { options: BreakerOptions; breaker: Breaker }>();

  constructor(deps: BreakerDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a breaker known. One that is known already stays, unless its options differ.
   * @throws ConfigInvalidError naming the breaker and the option
   */
  define(name: string, options: BreakerOptions = {}): Breaker {
    const known = this.#byName.get(name);
    if (known) {
      if (Object.keys(options).length === 0 || isDeepStrictEqual(options, known.options)) {
        return known.breaker;
      }
      throw new ConfigInvalidError(`breaker ${name}`, 'is defined twice, with other options');
    }
    const policy = resolveBreakerPolicy(checkBreakerName(name), options);
    const breaker = new Breaker(name, policy, this.#deps);
    this.#byName.set(name, { options, breaker });
    return breaker;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** @throws ConfigInvalidError where there is none of this name */
  get(name: string): Breaker {
    const known = this.#byName.get(name);
    if (known) return known.breaker;
    const names = [...this.#byName.keys()].join(', ') || 'none';
    throw new ConfigInvalidError('breaker', `there is no ${JSON.stringify(name)}; known: ${names}`);
  }

  /** Holds those that are named, and lets all others go. Names of other processes' breakers are passed over. */
  force(overrides: BreakerOverrides): void {
    for (const [name, { breaker }] of this.#byName) {
      breaker.force(Object.hasOwn(overrides, name) ? overrides[name] : undefined);
    }
  }

  view(): BreakerView[] {
    return [...this.#byName].map(([name, { breaker }]) => ({
      name,
      queues: breaker.queues,
      circuits: breaker.view(),
    }));
  }

  /** Ends all timers. */
  close(): void {
    for (const { breaker } of this.#byName.values()) breaker.close();
  }
}
