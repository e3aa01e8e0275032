/** One look at a process's memory. */
interface Sample {
  readonly atMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

/** How a process's memory went. */
export interface MemoryReport {
  readonly samples: number;
  readonly firstRssMb: number;
  readonly lastRssMb: number;
  readonly highestRssMb: number;
  /** Of the line through all samples but those of the first third; 0 is flat. */
  readonly rssMbPerMinute: number;
  readonly heapMbPerMinute: number;
}

const MINUTE_MS = 60_000;

/** In less, what has only warmed up looks like growth. */
const JUDGED_FROM_SECONDS = 600;
/** Runs of ten minutes had up to 1.4, one of thirty 0.1. */
const MAX_MB_PER_MINUTE = 2;

/** Whether a process that ran for so long kept its memory; of a short run nothing can be told. */
export function isFlat(report: MemoryReport | undefined, seconds: number): boolean {
  if (seconds < JUDGED_FROM_SECONDS) return true;
  return report !== undefined && report.rssMbPerMinute <= MAX_MB_PER_MINUTE;
}

/** Keeps samples, and tells where they lead. */
export class MemoryCurve {
  readonly #samples: Sample[] = [];

  add({ atMs, rssMb, heapMb }: Sample): void {
    this.#samples.push({ atMs, rssMb, heapMb });
  }

  report(): MemoryReport | undefined {
    const settled = this.#samples.slice(Math.floor(this.#samples.length / 3));
    const [first] = settled;
    const last = settled.at(-1);
    if (!first || !last) return undefined;
    return {
      samples: this.#samples.length,
      firstRssMb: round(first.rssMb),
      lastRssMb: round(last.rssMb),
      highestRssMb: round(Math.max(...settled.map(({ rssMb }) => rssMb))),
      rssMbPerMinute: round(slope(settled, ({ rssMb }) => rssMb)),
      heapMbPerMinute: round(slope(settled, ({ heapMb }) => heapMb)),
    };
  }
}

/** Least squares, per minute. */
function slope(samples: readonly Sample[], pick: (sample: Sample) => number): number {
  const x = samples.map(({ atMs }) => (atMs - (samples[0]?.atMs ?? 0)) / MINUTE_MS);
  const y = samples.map(pick);
  const meanX = mean(x);
  const meanY = mean(y);
  const covariance = x.reduce((sum, at, i) => sum + (at - meanX) * ((y[i] ?? 0) - meanY), 0);
  const variance = x.reduce((sum, at) => sum + (at - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
const round = (value: number) => Math.round(value * 100) / 100;
