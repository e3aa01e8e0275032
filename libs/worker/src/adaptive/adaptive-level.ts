import type { AdaptiveBounds } from '@warren/contracts';
import { firstSearch, levelOf, nextSearch, type Search } from './gradient.ts';
import { LoadWindow, type SeenRun } from './load-window.ts';

/** What is told of a new level. */
export interface Level {
  /** So many may run at once. */
  readonly concurrency: number;
  /** For how many at once to fetch. It changes less often, since the broker is asked for each change. */
  readonly reach: number;
}

/** What a level needs. */
export interface AdaptiveLevelOptions {
  readonly bounds: AdaptiveBounds;
  /** Makes it so. */
  onLevel(level: Level): void;
  readonly now?: () => number;
}

/** As much more is fetched for as the next steps may ask. */
const REACH = 1.5;
/** Below this share, what is fetched would be better off in another process. */
const LEAST_SHARE = 1 / 3;

/** How many handlers of one job type run at once, found out by how they run. All its queues share it. */
export class AdaptiveLevel {
  readonly #options: AdaptiveLevelOptions;
  readonly #now: () => number;
  #search: Search;
  #window: LoadWindow;
  #reach: number;
  #isHeld = false;

  constructor(options: AdaptiveLevelOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#search = firstSearch(options.bounds);
    this.#window = this.#newWindow();
    this.#reach = this.#reachOf(this.#window.level);
  }

  /** What is to be now. */
  get level(): Level {
    return { concurrency: this.#window.level, reach: this.#reach };
  }

  /** While an operator says how many run at once, nothing is learnt. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#window = this.#newWindow();
  }

  /** Learns from a run. */
  ended(run: SeenRun): void {
    if (this.#isHeld) return;
    this.#window.add(run);
    const sample = this.#window.sample(this.#now());
    if (!sample) return;
    const { bounds, onLevel } = this.#options;
    // Where most runs fail it is not for how many there are, unless they take too long.
    const isTelling = sample.perSecond > 0 || sample.latencyMs > bounds.latencyMs;
    if (isTelling) this.#search = nextSearch(this.#search, sample, bounds);
    const before = this.#window.level;
    this.#window = this.#newWindow();
    const { level } = this.#window;
    if (level === before) return;
    if (level > this.#reach || level < this.#reach * LEAST_SHARE)
      this.#reach = this.#reachOf(level);
    onLevel(this.level);
  }

  #reachOf(level: number): number {
    return Math.min(this.#options.bounds.max, Math.ceil(level * REACH));
  }

  #newWindow(): LoadWindow {
    return new LoadWindow(levelOf(this.#search, this.#options.bounds), this.#now());
  }
}
