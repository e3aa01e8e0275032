import type { Move } from '@warren/broker';
import type { Names, RetryTier } from '@warren/topology';

/** Ways that messages of one queue can take: into a queue, or into a tier and from there back into this one. */
export class Routes {
  readonly #names: Names;
  readonly #queue: string;
  readonly #tiers: readonly RetryTier[];
  readonly tiersMs: readonly number[];

  constructor(names: Names, queue: string, tiers: readonly RetryTier[]) {
    this.#names = names;
    this.#queue = queue;
    this.#tiers = tiers;
    this.tiersMs = tiers.map(({ delayMs }) => delayMs);
  }

  /** At once: without a queue, into the one that it came from. */
  toQueue(queue = this.#queue): Move {
    return { exchange: this.#names.due, routingKey: queue, headers: {} };
  }

  toTier(tierMs: number): Omit<Move, 'headers'> {
    const tier = this.#tiers.find(({ delayMs }) => delayMs === tierMs);
    if (!tier) throw new Error(`there is no retry tier of ${tierMs} ms`);
    return {
      exchange: this.#names.retry(tier),
      routingKey: this.#queue,
      expirationMs: tierMs,
    };
  }
}
