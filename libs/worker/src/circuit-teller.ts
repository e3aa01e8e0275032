import type { Breakers } from '@warren/breaker';
import {
  type CircuitNews,
  type CircuitReport,
  MAX_CIRCUIT_QUEUES,
  MAX_CIRCUITS,
} from '@warren/history';

/** What a teller needs. */
export interface CircuitTellerOptions {
  readonly breakers: Pick<Breakers, 'view'>;
  /** Names this worker in the history. */
  readonly worker: string;
  tell(report: CircuitReport): void;
}

/** An outage changes many circuits at once: they travel together. */
const TOGETHER_MS = 50;

/** Tells the history where the circuits of this worker stand: at once what changes, and all of it with each heartbeat. */
export class CircuitTeller {
  readonly #options: CircuitTellerOptions;
  readonly #changed = new Set<string>();
  readonly #sinceMs = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: CircuitTellerOptions) {
    this.#options = options;
  }

  /** A circuit has changed. Beyond what fits one message, the next heartbeat tells of it. */
  note({ breaker, key }: { readonly breaker: string; readonly key?: string | undefined }): void {
    if (this.#isClosed || this.#changed.size >= MAX_CIRCUITS) return;
    this.#changed.add(nameOf(breaker, key));
    this.#timer ??= setTimeout(() => this.#tell(), TOGETHER_MS).unref();
  }

  /** Each breaker as a whole, and as many circuits with a key as fit, of those that are not closed. None once it is closed. */
  all(): readonly CircuitNews[] {
    if (this.#isClosed) return [];
    const news = this.#news();
    const wholes = news.filter(({ key }) => key === undefined);
    const keyed = news.filter(({ key, state }) => key !== undefined && state !== 'closed');
    return [...wholes, ...keyed].slice(0, MAX_CIRCUITS);
  }

  /** This worker has no circuits any more: others need not wait for its silence. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const { worker, tell } = this.#options;
    const circuits = this.#news().filter((one) => this.#changed.has(nameOf(one.breaker, one.key)));
    this.#changed.clear();
    if (circuits.length > 0) tell({ worker, atMs: Date.now(), circuits });
  }

  #news(): CircuitNews[] {
    return this.#options.breakers.view().flatMap(({ name: breaker, queues: all, circuits }) => {
      const queues = all.slice(0, MAX_CIRCUIT_QUEUES);
      const told = circuits.map(({ waitMs, ...where }) => ({
        breaker,
        ...where,
        // One that an operator holds open is not tried.
        ...(waitMs > 0 && !where.override && { trialAtMs: Date.now() + waitMs }),
        ...(where.key === undefined && { queues }),
      }));
      // A breaker that nothing has gone through yet is one that can be held open.
      if (told.some(({ key }) => key === undefined)) return told;
      const override = told.at(0)?.override;
      const state = override ?? 'closed';
      return [{ breaker, queues, state, override, sinceMs: this.#sinceMs }, ...told];
    });
  }
}

function nameOf(breaker: string, key: string | undefined): string {
  return JSON.stringify([breaker, key]);
}
