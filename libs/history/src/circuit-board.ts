import { CIRCUIT_STATES, type CircuitNews, type CircuitReport } from './circuit-report.ts';
import { HeardWorkers } from './heard-workers.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Where one circuit stands in one worker. */
export type CircuitInWorker = Omit<CircuitNews, 'breaker' | 'key' | 'queues'> & {
  readonly worker: string;
};

/** One circuit of a breaker, over all workers. */
export interface CircuitEverywhere {
  readonly breaker: string;
  /** Undefined for the dependency as a whole. */
  readonly key?: string | undefined;
  /** Job types and subscribers whose handlers wait while it is open, as far as workers tell. */
  readonly queues: readonly string[];
  /** Open where it is open in any worker, else half-open where it is that in any. */
  readonly state: CircuitNews['state'];
  /** Since when it is so in the first of those, ms since 1970 by that worker's clock. */
  readonly sinceMs: number;
  /** When the first of them tries again, as far as they tell. */
  readonly trialAtMs?: number | undefined;
  readonly workers: readonly CircuitInWorker[];
}

/** One circuit, while it is put together. */
interface Known {
  readonly first: CircuitNews;
  readonly queues: Set<string>;
  readonly workers: CircuitInWorker[];
}

type Circuits = Map<string, CircuitNews>;

const MAX_CIRCUITS_OF_WORKER = 1_000;

/** Where the circuits of all workers stand, by what they tell. Bounded. */
export class CircuitBoard {
  readonly #workers = new HeardWorkers<Circuits>(() => new Map());

  /** A heartbeat tells of all circuits that are not closed, and of each breaker as a whole. */
  hearBeat({ worker, atMs, circuits }: Heartbeat, nowMs: number): void {
    // From a version that tells nothing of circuits.
    if (!circuits) return;
    const known = this.#workers.hear({ worker, atMs }, nowMs);
    if (!known) return;
    known.clear();
    for (const one of circuits) note(known, one);
    if (circuits.length === 0) this.#workers.forget(worker);
  }

  hearReport({ worker, atMs, circuits }: CircuitReport, nowMs: number): void {
    const known = this.#workers.hear({ worker, atMs }, nowMs);
    if (known) for (const one of circuits) note(known, one);
  }

  /** All circuits that are known, by breaker and key. */
  list(nowMs: number): readonly CircuitEverywhere[] {
    const byName = new Map<string, Known>();
    for (const [worker, circuits] of this.#workers.list(nowMs)) {
      for (const [name, news] of circuits) {
        const { breaker: _breaker, key: _key, queues = [], ...where } = news;
        const known = byName.get(name) ?? { first: news, queues: new Set(), workers: [] };
        for (const queue of queues) known.queues.add(queue);
        known.workers.push({ worker, ...where });
        byName.set(name, known);
      }
    }
    return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, known]) => everywhere(known));
  }
}

/** Of those with a key only what is not closed is kept: there may be one for each customer. */
function note(circuits: Circuits, news: CircuitNews): void {
  const name = JSON.stringify([news.breaker, ...(news.key === undefined ? [] : [news.key])]);
  if (news.key !== undefined && news.state === 'closed') circuits.delete(name);
  else if (circuits.has(name) || circuits.size < MAX_CIRCUITS_OF_WORKER) circuits.set(name, news);
}

function everywhere({ first: { breaker, key }, queues, workers }: Known): CircuitEverywhere {
  const state = CIRCUIT_STATES.findLast((one) => workers.some((its) => its.state === one));
  const worst = workers.filter((its) => its.state === state);
  const trials = worst.flatMap(({ trialAtMs }) => trialAtMs ?? []);
  return {
    breaker,
    ...(key !== undefined && { key }),
    queues: [...queues],
    state: state ?? 'closed',
    sinceMs: Math.min(...worst.map(({ sinceMs }) => sinceMs)),
    ...(trials.length > 0 && { trialAtMs: Math.min(...trials) }),
    workers,
  };
}
