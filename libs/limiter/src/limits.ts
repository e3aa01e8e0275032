import { isDeepStrictEqual } from 'node:util';
import { ConfigInvalidError, type LimitRate, resolveLimitRate } from '@warren/contracts';
import { initialiseLimiterMetrics, type Logger, type Metrics } from '@warren/telemetry';
import { Asker } from './asker.ts';
import { Limit, type LimitPolicy, type LimitView } from './limit.ts';
import type { LimitsPort } from './limits-port.ts';
import { MemoryLimits } from './memory-limits.ts';

/** The limits of a worker, by name. */
export class Limits {
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #askers: Record<LimitPolicy['scope'], Asker | undefined>;
  readonly #byName = new Map<string, Limit>();

  constructor(options: {
    /** Where limits of all processes together are counted. */
    global?: LimitsPort | undefined;
    logger: Logger;
    metrics: Metrics;
  }) {
    this.#logger = options.logger;
    this.#metrics = options.metrics;
    this.#askers = {
      global: options.global && new Asker(options.global),
      process: new Asker(new MemoryLimits()),
    };
  }

  /**
   * Makes a limit known. One that is known already is shared.
   * @throws ConfigInvalidError where another one has this name, or there is no store for it
   */
  define(name: string, policy: LimitPolicy): Limit {
    const known = this.#byName.get(name);
    if (known) {
      if (isDeepStrictEqual(known.policy, policy)) return known;
      throw new ConfigInvalidError(`limit ${name}`, 'is defined twice, and not in the same way');
    }
    const asker = this.#askers[policy.scope];
    if (!asker) {
      throw new ConfigInvalidError(
        `limit ${name}`,
        "needs the store: give its limits to createWorker as `limits`, or say `scope: 'process'`",
      );
    }
    initialiseLimiterMetrics(this.#metrics, name);
    const limit = new Limit(name, policy, {
      asker,
      logger: this.#logger,
      metrics: this.#metrics,
    });
    this.#byName.set(name, limit);
    return limit;
  }

  /** All that are used, by name, as their definitions say them. */
  view(): readonly LimitView[] {
    const views = [...this.#byName.values()].flatMap(({ view }) => view ?? []);
    return views.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Sets those that are named, for all their keys, and lets all others be as the code says. Unknown names are passed over. */
  override(rates: Readonly<Record<string, LimitRate>>): void {
    for (const [name, limit] of this.#byName) {
      const rate = Object.hasOwn(rates, name) ? rates[name] : undefined;
      limit.override(rate && resolveLimitRate(rate, `limit ${name}`));
    }
  }
}
