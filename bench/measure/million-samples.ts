import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often memory is looked at on the way to the last job. */
export const SAMPLES = 20;
const WARM_UP = SAMPLES / 5;
/** More than what varies from one collection to the next; a leak of 50 bytes a job would be past it. */
const MAX_GROWTH_MB = 32;

const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;

/** The memory of this process while it does a million jobs: what it holds, and what of it stays after a collection. */
export class MillionSamples {
  readonly #collectGarbage: () => void;
  readonly #startedAt = performance.now();
  readonly #heaps: number[] = [];

  constructor() {
    setFlagsFromString('--expose-gc');
    this.#collectGarbage = runInNewContext('gc') as () => void;
  }

  /** Looks, and says so. */
  take(jobs: number): void {
    const perSecond = Math.round(jobs / ((performance.now() - this.#startedAt) / 1_000));
    const rss = megabytes(process.memoryUsage.rss());
    this.#collectGarbage();
    const heap = megabytes(process.memoryUsage().heapUsed);
    this.#heaps.push(heap);
    process.stdout.write(
      `${String(jobs).padStart(9)} jobs  ${String(perSecond).padStart(6)}/s  RSS ${rss} MB  heap ${heap} MB\n`,
    );
  }

  /** What has stayed: the least of the last fifth, over what there was after the first. */
  get heapGrowthMb(): number {
    const growth = Math.min(...this.#heaps.slice(-WARM_UP)) - (this.#heaps[WARM_UP] ?? 0);
    return Math.round(growth * 10) / 10;
  }

  get isFlat(): boolean {
    return this.heapGrowthMb <= MAX_GROWTH_MB;
  }
}
