import type { Readiness } from '@warren/runtime';

/** How the tracker stands: what probes are told. */
export class Standing {
  #turn: 'starting' | 'standby' | 'reading' = 'starting';
  #storeProblem: string | undefined;

  get isReading(): boolean {
    return this.#turn === 'reading';
  }

  startReading(): void {
    this.#turn = 'reading';
    this.#storeProblem = undefined;
  }

  /** Not reading, for no reason of its own. */
  stopReading(): void {
    this.#turn = 'starting';
  }

  standBy(): void {
    this.#turn = 'standby';
    this.#storeProblem = undefined;
  }

  /** What the store last said; undefined for a success. */
  store(problem: string | undefined): void {
    this.#storeProblem = problem;
  }

  /** `broker` and `reader`: what is wrong with them. One that stands by is ready: another reads. */
  readiness({
    broker,
    reader,
  }: {
    readonly broker: string | undefined;
    readonly reader: string | undefined;
  }): Readiness {
    const history = this.#history(reader);
    return {
      ready: this.#storeProblem === undefined && (this.#turn === 'standby' || history === 'ok'),
      checks: { broker: broker ?? 'ok', store: this.#storeProblem ?? 'ok', history },
    };
  }

  #history(reader: string | undefined): string {
    if (this.#turn === 'standby') return 'standby: another tracker reads';
    if (this.#turn === 'starting') return 'not reading yet';
    return reader ?? 'ok';
  }
}
