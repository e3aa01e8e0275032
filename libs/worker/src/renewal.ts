/** What is renewed, and who is told when that fails. */
export interface RenewalOptions {
  /** How long it lasts from each renewal on. */
  readonly leaseMs: number;
  /** False when another has it. It may reject: then it is unknown. */
  renew(): Promise<boolean>;
  /** It was not renewed for as long as it lasts, or another has it. May be told more than once. */
  onLost(detail: string): void;
}

/** Renewed three times as often as it must be, and sooner again where that failed. */
const RENEW_SHARE = 3;
const RENEW_AGAIN_SHARE = 10;

/** Keeps a lease of the store for as long as it is wanted. It lasts from the beginning, also before it is first renewed. */
export class Renewal {
  readonly #options: RenewalOptions;
  #renewTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isOver = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#extend();
  }

  /** From now on it is renewed; again does nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#renewLater();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#renewTimer);
    clearTimeout(this.#endTimer);
  }

  #renewLater(share = RENEW_SHARE): void {
    if (this.#isOver) return;
    this.#renewTimer = setTimeout(() => void this.#renew(), this.#options.leaseMs / share).unref();
  }

  async #renew(): Promise<void> {
    try {
      if (!(await this.#options.renew())) {
        this.#lose('another run has taken it');
        return;
      }
      this.#extend();
      this.#renewLater();
    } catch {
      // As long as it lasts by this clock, nobody else can have it.
      this.#renewLater(RENEW_AGAIN_SHARE);
    }
  }

  #extend(): void {
    clearTimeout(this.#endTimer);
    if (this.#isOver) return;
    const end = () => this.#lose('the store did not renew it in time');
    this.#endTimer = setTimeout(end, this.#options.leaseMs).unref();
  }

  #lose(detail: string): void {
    if (this.#isOver) return;
    clearTimeout(this.#endTimer);
    this.#options.onLost(detail);
  }
}
