import type { CounterSeries, GaugeSeries, HistogramSeries } from './metric-types.ts';

/** One line of the exposition, as prom-client's registry takes it. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
  readonly exemplar?: Exemplar | undefined;
}

/** One observation of a bucket, with the trace that it was made in. */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  readonly atMs: number;
}

/** A series that can say what it holds. */
export interface Readable {
  samples(name: string, labels: Readonly<Record<string, string>>): Sample[];
}

export class CounterValue implements CounterSeries, Readable {
  #value = 0;

  inc(value = 1): void {
    if (value > 0) this.#value += value;
  }

  samples(_name: string, labels: Readonly<Record<string, string>>): Sample[] {
    return [{ labels, value: this.#value }];
  }
}

export class GaugeValue implements GaugeSeries, Readable {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  inc(value = 1): void {
    this.#value += value;
  }

  dec(value = 1): void {
    this.#value -= value;
  }

  samples(_name: string, labels: Readonly<Record<string, string>>): Sample[] {
    return [{ labels, value: this.#value }];
  }
}

export class HistogramValue implements HistogramSeries, Readable {
  readonly #bounds: readonly number[];
  /** Per bucket, not cumulative; the last one has no bound. */
  readonly #counts: number[];
  #sum = 0;
  /** The last of each bucket; made with the first. */
  #exemplars: (Exemplar | undefined)[] | undefined;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number, traceId?: string): void {
    if (Number.isNaN(value)) return;
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
    if (traceId === undefined) return;
    this.#exemplars ??= [];
    this.#exemplars[bucket] = { traceId, value, atMs: Date.now() };
  }

  samples(name: string, labels: Readonly<Record<string, string>>): Sample[] {
    let total = 0;
    const buckets = this.#counts.map((count, index): Sample => {
      total += count;
      const le = this.#bounds[index] ?? '+Inf';
      const exemplar = this.#exemplars?.[index];
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value: total,
        ...(exemplar && { exemplar }),
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
