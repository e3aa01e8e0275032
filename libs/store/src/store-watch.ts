import type { Store } from './store.ts';

const LOOK_MS = 5_000;

/** Asks a store again and again whether it is there, so that probes need not wait for it. */
export class StoreWatch {
  readonly #store: Pick<Store, 'ping'>;
  #check = 'not asked yet';
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: Pick<Store, 'ping'>) {
    this.#store = store;
  }

  /** `ok` when it answered last time; else what is wrong. */
  get check(): string {
    return this.#check;
  }

  start(): void {
    this.#store.ping().then(
      () => this.#answered('ok'),
      (error: unknown) => this.#answered(error instanceof Error ? error.message : String(error)),
    );
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #answered(check: string): void {
    this.#check = check;
    if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), LOOK_MS).unref();
  }
}
