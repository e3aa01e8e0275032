import type { TroubleEvent } from '../fixtures/storm-job.ts';
import type { SeenRun, TrackedJob } from './storm-ledger.ts';

/** Of all connections of a storm. */
export const HEARTBEAT_SECONDS = 5;

/** Why work was done twice. */
export type Explanation =
  /** The process that had it in hand died, or lost its deliveries, before the next run. */
  | 'delivery lost'
  /** Its publish was refused or not answered, and made again; or its connection broke meanwhile. */
  | 'publish repeated'
  /** The connection over which it was moved on broke, or its move was not answered: it was moved again. */
  | 'move repeated'
  /** The broker was made to end or to stand still: what it had handed on, and not heard of, it hands on again. */
  | 'broker restarted';

/** What happened to processes and to the broker, and when: what duplicates are explained by. */
export class Troubles {
  readonly #byLife = new Map<
    string,
    { readonly kind: TroubleEvent['event'] | 'ended'; readonly atMs: number }[]
  >();
  readonly #publisherLosses: number[] = [];
  readonly #brokerFaults: { readonly fromMs: number; readonly toMs: number }[] = [];
  readonly counts: Record<string, number> = {};

  ofWorker(life: string, kind: TroubleEvent['event'] | 'ended', atMs: number): void {
    const troubles = this.#byLife.get(life) ?? [];
    this.#byLife.set(life, troubles);
    troubles.push({ kind, atMs });
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  ofPublisher(atMs: number): void {
    this.#publisherLosses.push(atMs);
  }

  ofBroker(fromMs: number, toMs: number): void {
    this.#brokerFaults.push({ fromMs, toMs });
  }

  /** Why `next` was run although `before` was; undefined where nothing accounts for it. */
  explain(job: TrackedJob, before: SeenRun, next: SeenRun): Explanation | undefined {
    const until = next.startedAtMs;
    const noticedUntil = until + NOTICED_LATE_MS;
    if (this.#hit(before.life, before.startedAtMs, noticedUntil, LOSSES)) return 'delivery lost';
    const acceptedAtMs = job.acceptedAtMs ?? Number.POSITIVE_INFINITY;
    const wasHit = this.#publisherLosses.some(
      (at) => at >= job.publishedAtMs && at <= acceptedAtMs,
    );
    if (job.repeats > 0 || wasHit) return 'publish repeated';
    const earlier = job.runs.filter(({ attempt }) => attempt < next.attempt);
    for (const { life, startedAtMs } of [...earlier, before]) {
      if (this.#hit(life, startedAtMs, noticedUntil, MOVES)) return 'move repeated';
    }
    const isBroker = this.#brokerFaults.some(
      ({ fromMs, toMs }) => fromMs <= until && toMs + BROKER_RECALLS_MS >= job.publishedAtMs,
    );
    return isBroker ? 'broker restarted' : undefined;
  }

  #hit(life: string, fromMs: number, toMs: number, kinds: ReadonlySet<string>): boolean {
    const troubles = this.#byLife.get(life) ?? [];
    return troubles.some(({ kind, atMs }) => atMs >= fromMs && atMs <= toMs && kinds.has(kind));
  }
}

const LOSSES = new Set(['consumer lost', 'ended']);
const MOVES = new Set(['connection lost', 'move repeated', 'consumer lost', 'ended']);

/**
 * The broker hands a delivery on as soon as it finds a connection broken. Whoever had it finds that out for itself, at the
 * latest when two heartbeats have not come; and its parent sees a process end only after the broker did.
 */
const NOTICED_LATE_MS = (2 * HEARTBEAT_SECONDS + 1) * 1_000;

/** How long after it the broker may still find out what it had handed on. */
const BROKER_RECALLS_MS = 5_000;
