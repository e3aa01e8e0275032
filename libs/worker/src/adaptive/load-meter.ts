import type { Delivery } from '@warren/broker';
import type { Outcome } from '@warren/retry';
import type { SeenRun } from './load-window.ts';

/** What tells a level of the runs of one queue. */
export class LoadMeter {
  readonly #onRun: (run: SeenRun) => void;
  readonly #busy: () => number;
  readonly #ran = new WeakMap<Delivery, Pick<SeenRun, 'runMs' | 'outcome'>>();

  constructor(options: { onRun(run: SeenRun): void; busy(): number }) {
    this.#onRun = (run) => options.onRun(run);
    this.#busy = () => options.busy();
  }

  /** A handler has ended. */
  ran(delivery: Delivery, outcome: Outcome, runMs: number): void {
    const { kind } = outcome;
    const isKnown = kind === 'succeeded' || kind === 'timed-out';
    this.#ran.set(delivery, { runMs, outcome: isKnown ? kind : 'failed' });
  }

  /** What starts deliveries, observed. One that left its slot without a run is passed over. */
  around(start: (delivery: Delivery) => Promise<void>): (delivery: Delivery) => Promise<void> {
    return async (delivery) => {
      const startedAtMs = performance.now();
      await start(delivery);
      const ran = this.#ran.get(delivery);
      if (!ran) return;
      const slotMs = performance.now() - startedAtMs;
      this.#onRun({ ...ran, startedAtMs, slotMs, busy: this.#busy() });
    };
  }
}
