type Labels = Readonly<Record<string, string>>;

/** More than any process declares; a metric that reaches it is fed with something that is no closed set. */
export const MAX_SERIES_PER_METRIC = 2_000;

/** Stands for every label value once a metric is full. */
const OVERFLOW = '_other';

/** The series of one metric by their labels. Bounded: what comes after the limit shares one series. */
export class SeriesStore<Series> {
  readonly #metric: string;
  readonly #names: readonly string[];
  readonly #create: (labels: Labels) => Series;
  readonly #onOverflow: () => void;
  readonly #byKey = new Map<string, { labels: Labels; series: Series }>();

  constructor(
    metric: string,
    names: readonly string[],
    create: (labels: Labels) => Series,
    onOverflow: () => void,
  ) {
    this.#metric = metric;
    this.#names = names;
    this.#create = create;
    this.#onOverflow = onOverflow;
  }

  /** The series with these labels, made if need be. Throws TypeError for other label names than the metric's. */
  at(labels: Labels): Series {
    return this.#byKey.get(this.#keyOf(labels))?.series ?? this.#add(labels);
  }

  delete(labels: Labels): void {
    this.#byKey.delete(this.#keyOf(labels));
  }

  entries(): { labels: Labels; series: Series }[] {
    return [...this.#byKey.values()];
  }

  #keyOf(labels: Labels): string {
    let key = '';
    for (const name of this.#names) key += `${labels[name]}\u0000`;
    return key;
  }

  #add(labels: Labels): Series {
    this.#check(labels);
    if (this.#byKey.size < MAX_SERIES_PER_METRIC) return this.#keep(labels);
    this.#onOverflow();
    const shared = Object.fromEntries(this.#names.map((name) => [name, OVERFLOW]));
    return this.#byKey.get(this.#keyOf(shared))?.series ?? this.#keep(shared);
  }

  #keep(labels: Labels): Series {
    // In the metric's order, and a copy: the caller may reuse its object.
    const kept = Object.fromEntries(this.#names.map((name) => [name, labels[name] ?? '']));
    const series = this.#create(kept);
    this.#byKey.set(this.#keyOf(kept), { labels: kept, series });
    return series;
  }

  #check(labels: Labels): void {
    const given = Object.keys(labels);
    const wrong = given.find((name) => !this.#names.includes(name));
    const missing = this.#names.find((name) => labels[name] === undefined);
    if (wrong !== undefined) throw new TypeError(`${this.#metric} has no label ${wrong}`);
    if (missing !== undefined) throw new TypeError(`${this.#metric} needs the label ${missing}`);
  }
}
