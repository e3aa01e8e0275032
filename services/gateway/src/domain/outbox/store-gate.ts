import type { Store } from '@warren/store';
import type { Logger } from '@warren/telemetry';

/** While it is away. */
const PROBE_MS = 1_000;
/** While it works: where nobody asks for anything, nobody else finds out that it does not any more. */
const LOOK_MS = 5_000;

/** Remembers that the store is away, so that not every request has to find it out, and looks for it meanwhile. */
export class StoreGate {
  readonly #store: Pick<Store, 'ping'>;
  readonly #logger: Logger;
  #problem: string | undefined;
  #hasAnswered = false;
  #probe: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: Pick<Store, 'ping'>, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** What is wrong with the store, as far as is known; undefined when it works. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** `ok` once it has answered; else what is wrong. For jobs, what has not been asked yet is worth a try. */
  get check(): string {
    return this.#problem ?? (this.#hasAnswered ? 'ok' : 'not asked yet');
  }

  /** Looks whether it is there, now and from time to time. */
  start(): void {
    this.#look();
  }

  /** It did not answer, or not in time. Said once, until it is back. */
  shut(problem: string): void {
    if (this.#problem === undefined) {
      this.#logger.warn({ problem }, 'the store is away; jobs go to the broker directly meanwhile');
    }
    this.#problem = problem;
    this.#lookIn(PROBE_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#probe);
  }

  #lookIn(delayMs: number): void {
    clearTimeout(this.#probe);
    if (!this.#isClosed) this.#probe = setTimeout(() => this.#look(), delayMs).unref();
  }

  #look(): void {
    this.#store.ping().then(
      () => this.#open(),
      (error: unknown) => this.shut(error instanceof Error ? error.message : String(error)),
    );
  }

  #open(): void {
    if (this.#problem !== undefined) {
      this.#logger.warn('the store is back; jobs are kept there first');
    }
    this.#problem = undefined;
    this.#hasAnswered = true;
    this.#lookIn(LOOK_MS);
  }
}
