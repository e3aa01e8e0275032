import { isDeepStrictEqual } from 'node:util';
import type { LimitRate, LimitRule } from '@warren/contracts';
import { resolveLimitRate } from '@warren/contracts';
import type { Logger, Metrics } from '@warren/telemetry';
import type { Asker, Leave } from './asker.ts';

/** What a limit is, resolved. */
export interface LimitPolicy {
  readonly scope: 'global' | 'process';
  readonly rule: LimitRule;
  /** Those of keys that have one of their own. */
  readonly rules: ReadonlyMap<string, LimitRule>;
  /** Says it for any other key; undefined for the usual one. */
  readonly limitFor?: ((key: string) => LimitRate | undefined) | undefined;
}

/** How one job type or subscriber says a limit, for people. */
export interface LimitUser {
  readonly queue: string;
  readonly rate: LimitRate;
  /** By what it tells jobs apart; undefined for one limit for all. */
  readonly by: string | undefined;
  /** Name of the setting that the rate comes from; undefined for one from the code. */
  readonly setting: string | undefined;
}

/** One limit as its definitions say it, for people. */
export interface LimitView {
  readonly name: string;
  readonly scope: LimitPolicy['scope'];
  /** Job types and subscribers that it holds back. */
  readonly queues: readonly string[];
  readonly by?: string;
  readonly rate: number;
  readonly per: LimitRate['per'];
  readonly burst: number;
  /** Some keys have rates of their own. */
  readonly ownRates?: true;
  readonly setting?: string;
}

/** What a limit counts and tells with. */
export interface LimitDeps {
  readonly asker: Asker;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** One limit: how often handlers may start, for each key. */
export class Limit {
  readonly name: string;
  readonly policy: LimitPolicy;
  readonly #deps: LimitDeps;
  readonly #limited;
  readonly #waitSeconds;
  readonly #listeners = new Set<() => void>();
  readonly #users: LimitUser[] = [];
  #override: LimitRule | undefined;

  constructor(name: string, policy: LimitPolicy, deps: LimitDeps) {
    this.name = name;
    this.policy = policy;
    this.#deps = deps;
    this.#limited = deps.metrics.jobs_rate_limited_total.labels({ limiter: name });
    this.#waitSeconds = deps.metrics.jobs_rate_limit_wait_seconds.labels({ limiter: name });
  }

  /** Another job type or subscriber is held back by it. */
  usedBy(user: LimitUser): void {
    this.#users.push(user);
  }

  /** Undefined while nobody uses it. What an operator has set is not in it. */
  get view(): LimitView | undefined {
    const [first] = this.#users;
    if (!first) return undefined;
    const { scope, rule, rules, limitFor } = this.policy;
    const { by, setting } = first;
    return {
      name: this.name,
      scope,
      queues: this.#users.map(({ queue }) => queue),
      ...(by !== undefined && { by }),
      rate: first.rate.rate,
      per: first.rate.per,
      burst: rule.burst,
      ...((rules.size > 0 || limitFor) && { ownRates: true }),
      ...(setting !== undefined && { setting }),
    };
  }

  /** Asks for one start. Rejects where nobody answers: then nothing may start. */
  take(key: string): Promise<Leave> {
    return this.#deps.asker.take(this.name, key, this.ruleOf(key));
  }

  /** For how long to put a job off, so that it comes back when it may be its turn, ms. Rejects as `take`. */
  putOff(key: string): Promise<number> {
    return this.#deps.asker.putOff(this.name, key, this.ruleOf(key));
  }

  /** What is valid for a key now: what an operator has set, else its own, else the usual. */
  ruleOf(key: string): LimitRule {
    const { rule, rules, limitFor } = this.policy;
    return this.#override ?? rules.get(key) ?? (limitFor && this.#own(limitFor, key)) ?? rule;
  }

  /** What an operator has set, for all keys; undefined for nothing. */
  override(rule: LimitRule | undefined): void {
    if (isDeepStrictEqual(rule, this.#override)) return;
    this.#override = rule;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when other rules are valid. Returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A job had to wait. */
  limited(): void {
    this.#limited.inc();
  }

  /** It waited so long, in hand or elsewhere. */
  waited(ms: number): void {
    this.#waitSeconds.observe(ms / 1_000);
  }

  #own(limitFor: (key: string) => LimitRate | undefined, key: string): LimitRule | undefined {
    try {
      const rate = limitFor(key);
      return rate === undefined ? undefined : resolveLimitRate(rate, 'limitFor');
    } catch (error) {
      this.#deps.logger.error(
        { err: error, limiter: this.name },
        'no limit of its own for a key; the usual one is taken',
      );
      return undefined;
    }
  }
}
