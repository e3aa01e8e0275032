import type { Delivery } from '@warren/broker';
import type { Job } from '@warren/contracts';
import type { Leave } from '@warren/limiter';
import type { Logger } from '@warren/telemetry';
import type { Gate } from './gate.ts';
import type { Identified } from './identified.ts';
import { keyIn } from './job-keys.ts';
import type { JobLimit } from './job-limit.ts';
import { KeyStates } from './key-states.ts';
import type { Passage } from './passage.ts';
import type { Settler } from './settle.ts';

/** What the gate of one queue needs. */
export interface LimitGateOptions extends JobLimit {
  /** Asked first: what it holds shall not use up the limit. */
  readonly inner: Gate;
  readonly settler: Pick<Settler, 'postpone' | 'release'>;
  readonly logger: Logger;
  /** How many deliveries of limited keys may wait in hand now; undefined where none is put off: nothing else could be found. */
  maxHeld(): number | undefined;
  /** How many of a key wait in hand. */
  waiting(key: string): number;
  /** How many of all the keys that fit do. */
  waitingWhere(test: (key: string) => boolean): number;
  /** Puts off all of a key that wait in hand but the first so many. */
  shed(key: string, keep: number): void;
  /** Has it wait in hand again. */
  putBack(delivery: Delivery): void;
  /** Some may start again. */
  onFree(): void;
  /** Nothing that would be fetched could start. */
  onPause(isPaused: boolean): void;
  /** What is held has been held for as long as it may. */
  onHeldTooLong(): void;
}

/** What is expected to wait for longer than this does not wait in hand, where something else could be done instead. */
const HOLD_MS = 5_000;
/** Shorter delays only make more moves. */
const SHORTEST_PUT_OFF_MS = 1_000;
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 30_000;
/** By then it has been away for half a minute. */
const HELD_TOO_LONG_FAILURES = 7;

/**
 * Lets as many jobs run as their limit allows, across all processes or in this one. What is over it waits in hand, not in a
 * slot; what would wait for long moves to a tier, until it may be its turn. Nothing of that is spent.
 */
export class LimitGate implements Gate {
  readonly #options: LimitGateOptions;
  readonly #states: KeyStates;
  readonly #refusedAtMs = new WeakMap<Delivery, number>();
  readonly #asking = new Map<Delivery, string>();
  readonly #stopListening: () => void;
  #isStopping = false;
  #failures = 0;
  #isBlocked = false;
  #awayTimer: NodeJS.Timeout | undefined;

  constructor(options: LimitGateOptions) {
    this.#options = options;
    this.#states = new KeyStates(() => this.#onFree());
    this.#stopListening = options.limit.onChange(() => this.#states.forgetAll());
  }

  /** Whether one of this key may start now, as far as is known. */
  mayStart(key: string): boolean {
    return this.#states.mayStart(key);
  }

  /** It has a slot, and is about to ask. */
  begin(delivery: Delivery, key: string): void {
    this.#asking.set(delivery, key);
    this.#states.asks(key);
  }

  /** It has left its slot. */
  end(delivery: Delivery): void {
    const key = this.#asking.get(delivery);
    if (key === undefined) return;
    this.#asking.delete(delivery);
    this.#states.asked(key);
  }

  enter(delivery: Delivery, message: Identified, job: Job): Promise<Passage | undefined> {
    return this.#enter(delivery, message, job);
  }

  stop(): void {
    this.#isStopping = true;
    clearTimeout(this.#awayTimer);
    this.#stopListening();
    this.#states.stop();
    this.#options.inner.stop();
  }

  /** For how long to put off a delivery that would wait in hand for too long; undefined where it may. Never rejects. */
  async putOffMs(delivery: Delivery, key: string): Promise<number | undefined> {
    if (!this.#isTooLong(key)) return undefined;
    const { limit } = this.#options;
    try {
      const delayMs = Math.max(SHORTEST_PUT_OFF_MS, await limit.putOff(key));
      this.#limited(delivery);
      limit.waited(delayMs);
      return delayMs;
    } catch (error) {
      this.#onAway(error);
      return undefined;
    }
  }

  /** Whether one more of this key would wait for too long. */
  #isTooLong(key: string): boolean {
    const { limit, waiting, waitingWhere } = this.#options;
    const maxHeld = this.#options.maxHeld();
    const blockedMs = this.#states.blockedForMs(key);
    if (maxHeld === undefined || blockedMs === 0 || this.#failures > 0) return false;
    if (blockedMs + waiting(key) * limit.ruleOf(key).intervalMs > HOLD_MS) return true;
    return waitingWhere((one) => this.#states.blockedForMs(one) > 0) >= maxHeld;
  }

  async #enter(delivery: Delivery, message: Identified, job: Job): Promise<Passage | undefined> {
    const { inner, limit, keyOf, logger } = this.#options;
    const passage = await inner.enter(delivery, message, job);
    if (!passage) return undefined;
    const key = keyOf ? keyIn(keyOf, job, logger) : '';
    const leave = await limit.take(key).catch((error: unknown) => this.#onAway(error));
    this.end(delivery);
    if (leave) this.#learn(key, leave);
    if (leave?.granted) {
      this.#waited(delivery);
      return passage;
    }
    await passage.leave();
    await this.#refuse(delivery, message, key);
    return undefined;
  }

  async #refuse(delivery: Delivery, message: Identified, key: string): Promise<void> {
    const { settler, putBack } = this.#options;
    if (this.#isStopping || delivery.isLost) return settler.release(delivery, message);
    this.#limited(delivery);
    const delayMs = await this.putOffMs(delivery, key);
    if (delayMs !== undefined) return settler.postpone(delivery, message, { delayMs });
    putBack(delivery);
  }

  /** Counted once, however often it is asked for. */
  #limited(delivery: Delivery): void {
    if (this.#refusedAtMs.has(delivery)) return;
    this.#refusedAtMs.set(delivery, performance.now());
    this.#options.limit.limited();
  }

  #waited(delivery: Delivery): void {
    const sinceMs = this.#refusedAtMs.get(delivery);
    if (sinceMs !== undefined) this.#options.limit.waited(performance.now() - sinceMs);
  }

  #learn(key: string, leave: Leave): void {
    if (this.#isStopping) return;
    if (this.#failures > 0) this.#onBack();
    const { limit, keyOf } = this.#options;
    const rule = limit.ruleOf(key);
    const waitMs = this.#states.learn(key, leave, rule);
    if (waitMs > 0) this.#shed(key, waitMs, rule.intervalMs);
    // Only where all have to wait, and for so long that stopping to fetch is worth its while.
    this.#isBlocked = !keyOf && waitMs >= HOLD_MS;
    this.#options.onPause(this.#isBlocked);
  }

  /** What waits in hand since before its key had to wait. */
  #shed(key: string, waitMs: number, intervalMs: number): void {
    const { waiting, shed } = this.#options;
    const maxHeld = this.#options.maxHeld();
    if (maxHeld === undefined) return;
    const keep = Math.min(maxHeld, Math.max(0, Math.ceil((HOLD_MS - waitMs) / intervalMs)));
    if (waiting(key) > keep) shed(key, keep);
  }

  #onBack(): void {
    this.#failures = 0;
    clearTimeout(this.#awayTimer);
    this.#awayTimer = undefined;
    this.#options.onPause(false);
    this.#states.setAway('no');
  }

  #onFree(): void {
    if (this.#isStopping) return;
    if (this.#isBlocked) this.#options.onPause(false);
    this.#isBlocked = false;
    this.#options.onFree();
  }

  /** Nobody says whether anything may start: it is asked ever more rarely, for one at a time. */
  #onAway(error: unknown): undefined {
    if (this.#isStopping || this.#awayTimer) return;
    const { limit, logger, onPause, onHeldTooLong } = this.#options;
    if (this.#failures === 0) {
      logger.error({ err: error, limiter: limit.name }, 'a limit cannot be asked; jobs wait');
    }
    const pauseMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#states.setAway('away');
    onPause(true);
    if (this.#failures >= HELD_TOO_LONG_FAILURES) onHeldTooLong();
    this.#awayTimer = setTimeout(() => {
      this.#awayTimer = undefined;
      onPause(false);
      this.#states.setAway('trying');
    }, pauseMs).unref();
  }
}
