import type { Leave } from '@warren/limiter';

interface KeyState {
  /** Until then none is to be had, by `performance.now()`. */
  blockedUntilMs: number;
  timer: NodeJS.Timeout | undefined;
  /** So many may be about to ask. */
  allowance: number;
  /** So many are. */
  undecided: number;
}

/** Keys that are remembered although nothing of theirs may be in hand. */
const MAX_KEYS = 10_000;
/** Asking less often for more at once is cheaper, as long as nothing is lost by it. */
const GATHER_MS = 20;
const MAX_TIMER_MS = 24 * 86_400_000;

/** What is known of the keys of a limit: which have to wait, and for how long. The next try is when the limit said so. */
export class KeyStates {
  readonly #onFree: () => void;
  readonly #states = new Map<string, KeyState>();
  #undecided = 0;
  #away: 'no' | 'away' | 'trying' = 'no';

  /** @param onFree some may start again */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  mayStart(key: string): boolean {
    if (this.#away !== 'no' && (this.#away === 'away' || this.#undecided > 0)) return false;
    const state = this.#states.get(key);
    return !state || state.undecided < state.allowance;
  }

  /** ms until it is worth while to ask for this key; 0 for now. */
  blockedForMs(key: string): number {
    const state = this.#states.get(key);
    return state?.timer ? Math.max(1, state.blockedUntilMs - performance.now()) : 0;
  }

  /** One of this key is about to ask. */
  asks(key: string): void {
    this.#undecided += 1;
    this.#of(key).undecided += 1;
  }

  /** It has its answer, or did not ask after all. */
  asked(key: string): void {
    this.#undecided -= 1;
    const state = this.#states.get(key);
    if (!state) return;
    state.undecided = Math.max(0, state.undecided - 1);
    if (state.undecided === 0 && !state.timer) this.#states.delete(key);
  }

  /** What the limit said last. @returns for how long the key has to wait, ms */
  learn(
    key: string,
    { left, freeInMs }: Leave,
    rule: { intervalMs: number; burst: number },
  ): number {
    const state = this.#of(key);
    clearTimeout(state.timer);
    state.timer = undefined;
    state.allowance = left;
    if (left > 0) return 0;
    const gatherMs = Math.min(GATHER_MS, ((rule.burst - 1) / 2) * rule.intervalMs);
    const waitMs = Math.ceil(Math.min(MAX_TIMER_MS, Math.max(1, freeInMs, gatherMs)));
    state.blockedUntilMs = performance.now() + waitMs;
    state.timer = setTimeout(() => {
      state.timer = undefined;
      state.allowance = 1 + Math.floor(Math.max(0, waitMs - freeInMs) / rule.intervalMs);
      this.#onFree();
      if (state.undecided === 0 && !state.timer) this.#forget(key, state);
    }, waitMs).unref();
    return waitMs;
  }

  /** Nobody answers: nothing may start; then one may, to find out. */
  setAway(away: 'no' | 'away' | 'trying'): void {
    this.#away = away;
    if (away !== 'away') this.#onFree();
  }

  /** The rules have changed: what was learnt by the old ones is forgotten. */
  forgetAll(): void {
    for (const { timer } of this.#states.values()) clearTimeout(timer);
    this.#states.clear();
    this.#onFree();
  }

  stop(): void {
    for (const { timer } of this.#states.values()) clearTimeout(timer);
    this.#states.clear();
  }

  #of(key: string): KeyState {
    let state = this.#states.get(key);
    if (state) return state;
    const [oldest] = this.#states;
    if (oldest && this.#states.size >= MAX_KEYS) {
      clearTimeout(oldest[1].timer);
      this.#states.delete(oldest[0]);
    }
    state = {
      blockedUntilMs: 0,
      timer: undefined,
      allowance: Number.POSITIVE_INFINITY,
      undecided: 0,
    };
    this.#states.set(key, state);
    return state;
  }

  #forget(key: string, state: KeyState): void {
    if (this.#states.get(key) === state) this.#states.delete(key);
  }
}
