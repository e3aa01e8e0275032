interface Heard<Told> {
  heardAtMs: number;
  atMs: number;
  readonly told: Told;
}

/** A worker beats four times as often. */
const SILENCE_MS = 20_000;
const MAX_WORKERS = 1_000;

/**
 * What workers have told last. One that falls silent is forgotten. Bounded; `nowMs` is of the clock of whoever listens, and
 * workers' clocks are only compared with themselves.
 */
export class HeardWorkers<Told> {
  readonly #workers = new Map<string, Heard<Told>>();
  readonly #create: () => Told;

  /** @param create what is known of a worker that is heard for the first time */
  constructor(create: () => Told) {
    this.#create = create;
  }

  /** What is known of a worker that speaks; undefined where it has said something later already. */
  hear({ worker, atMs }: { worker: string; atMs: number }, nowMs: number): Told | undefined {
    const known = this.#workers.get(worker);
    if (known && known.atMs > atMs) return undefined;
    const heard = known ?? { heardAtMs: nowMs, atMs, told: this.#create() };
    heard.heardAtMs = nowMs;
    heard.atMs = atMs;
    // The last in the order are those that were heard of last.
    this.#workers.delete(worker);
    this.#workers.set(worker, heard);
    const [eldest] = this.#workers.keys();
    if (eldest !== undefined && this.#workers.size > MAX_WORKERS) this.#workers.delete(eldest);
    return heard.told;
  }

  forget(worker: string): void {
    this.#workers.delete(worker);
  }

  /** All workers that are not silent, with what they told. */
  list(nowMs: number): readonly (readonly [worker: string, told: Told])[] {
    for (const [worker, { heardAtMs }] of this.#workers) {
      if (nowMs - heardAtMs >= SILENCE_MS) this.#workers.delete(worker);
    }
    return [...this.#workers].map(([worker, { told }]) => [worker, told] as const);
  }
}
