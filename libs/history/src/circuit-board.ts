import { CIRCUIT_STATES, type CircuitNews, type CircuitReport } from './circuit-report.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Where one circuit stands in one worker. */
export type CircuitInWorker = Omit<CircuitNews, 'breaker' | 'key'> & { readonly worker: string };

/** One circuit of a breaker, over all workers. */
export interface CircuitEverywhere {
  readonly breaker: string;
  /** Undefined for the dependency as a whole. */
  readonly key?: string | undefined;
  /** Open where it is open in any worker, else half-open where it is that in any. */
  readonly state: CircuitNews['state'];
  /** Since when it is so in the first of those, ms since 1970 by that worker's clock. */
  readonly sinceMs: number;
  readonly workers: readonly CircuitInWorker[];
}

interface Heard {
  heardAtMs: number;
  atMs: number;
  readonly circuits: Map<string, CircuitNews>;
}

/** A worker beats four times as often. */
const SILENCE_MS = 20_000;
const MAX_WORKERS = 1_000;
const MAX_CIRCUITS_OF_WORKER = 1_000;

/**
 * Where the circuits of all workers stand, by what they tell. A worker that falls silent is forgotten. Bounded; `nowMs` is of
 * the clock of whoever listens, and workers' clocks are only compared with themselves.
 */
export class CircuitBoard {
  readonly #workers = new Map<string, Heard>();

  /** A heartbeat tells of all circuits that are not closed, and of each breaker as a whole. */
  hearBeat({ worker, atMs, circuits }: Heartbeat, nowMs: number): void {
    // From a version that tells nothing of circuits.
    if (!circuits) return;
    const heard = this.#heard(worker, atMs, nowMs);
    if (!heard) return;
    heard.circuits.clear();
    for (const one of circuits) note(heard, one);
    if (circuits.length === 0) this.#workers.delete(worker);
  }

  hearReport({ worker, atMs, circuits }: CircuitReport, nowMs: number): void {
    const heard = this.#heard(worker, atMs, nowMs);
    if (heard) for (const one of circuits) note(heard, one);
  }

  /** All circuits that are known, by breaker and key. */
  list(nowMs: number): readonly CircuitEverywhere[] {
    this.#forgetSilent(nowMs);
    const byName = new Map<string, { first: CircuitNews; workers: CircuitInWorker[] }>();
    for (const [worker, { circuits }] of this.#workers) {
      for (const [name, news] of circuits) {
        const { breaker: _breaker, key: _key, ...where } = news;
        const known = byName.get(name) ?? { first: news, workers: [] };
        known.workers.push({ worker, ...where });
        byName.set(name, known);
      }
    }
    return [...byName]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { first, workers }]) => everywhere(first, workers));
  }

  /** Undefined for what is older than what is known already. */
  #heard(worker: string, atMs: number, nowMs: number): Heard | undefined {
    const known = this.#workers.get(worker);
    if (known && known.atMs > atMs) return undefined;
    const heard = known ?? { heardAtMs: nowMs, atMs, circuits: new Map<string, CircuitNews>() };
    heard.heardAtMs = nowMs;
    heard.atMs = atMs;
    // The last in the order are those that were heard of last.
    this.#workers.delete(worker);
    this.#workers.set(worker, heard);
    if (this.#workers.size > MAX_WORKERS) {
      for (const [eldest] of this.#workers) {
        this.#workers.delete(eldest);
        break;
      }
    }
    return heard;
  }

  #forgetSilent(nowMs: number): void {
    for (const [worker, { heardAtMs }] of this.#workers) {
      if (nowMs - heardAtMs >= SILENCE_MS) this.#workers.delete(worker);
    }
  }
}

/** Of those with a key only what is not closed is kept: there may be one for each customer. */
function note({ circuits }: Heard, news: CircuitNews): void {
  const name = JSON.stringify([news.breaker, ...(news.key === undefined ? [] : [news.key])]);
  if (news.key !== undefined && news.state === 'closed') circuits.delete(name);
  else if (circuits.has(name) || circuits.size < MAX_CIRCUITS_OF_WORKER) circuits.set(name, news);
}

function everywhere(
  { breaker, key }: CircuitNews,
  workers: readonly CircuitInWorker[],
): CircuitEverywhere {
  const state = CIRCUIT_STATES.findLast((one) => workers.some((its) => its.state === one));
  const worst = workers.filter((its) => its.state === state);
  return {
    breaker,
    ...(key !== undefined && { key }),
    state: state ?? 'closed',
    sinceMs: Math.min(...worst.map(({ sinceMs }) => sinceMs)),
    workers,
  };
}
