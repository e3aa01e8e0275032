import { LANES, type Lane } from '@warren/contracts';

/** How lanes fared. */
export interface LaneFigures {
  readonly starts: Readonly<Record<Lane, number>>;
  /** Of all starts. */
  readonly shares: Readonly<Record<Lane, number>>;
  /** From publish to start. */
  readonly waitMs: Readonly<Record<Lane, { readonly median: number; readonly p99: number }>>;
}

const ofEach = <T>(pick: (lane: Lane) => T): Record<Lane, T> => ({
  high: pick('high'),
  normal: pick('normal'),
  low: pick('low'),
});

/** Counts starts and waits by lane. */
export class LaneCount {
  #waits = ofEach<number[]>(() => []);
  readonly #waiting = ofEach(() => 0);

  publish(lane: Lane): void {
    this.#waiting[lane] += 1;
  }

  start(lane: Lane, waitMs: number): void {
    this.#waiting[lane] -= 1;
    this.#waits[lane].push(waitMs);
  }

  /** Published and not started; a little more than in truth while a publish is under way. */
  waiting(lane: Lane): number {
    return this.#waiting[lane];
  }

  /** Forgets what has started so far. */
  reset(): void {
    this.#waits = ofEach(() => []);
  }

  figures(): LaneFigures {
    const starts = ofEach((lane) => this.#waits[lane].length);
    const all = LANES.reduce((sum, lane) => sum + starts[lane], 0);
    return {
      starts,
      shares: ofEach((lane) => Math.round((starts[lane] / Math.max(1, all)) * 1_000) / 1_000),
      waitMs: ofEach((lane) => {
        const sorted = [...this.#waits[lane]].sort((a, b) => a - b);
        const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
        return { median: at(0.5), p99: at(0.99) };
      }),
    };
  }
}
