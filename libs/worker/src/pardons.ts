const MAX_REMEMBERED = 10_000;

/** A loss counts for so long: what it gave back is delivered again soon after, if the queue is not a long one. */
const LOSS_COUNTS_MS = 600_000;
const MAX_LOSSES = 1_000;

/**
 * Returns that a job is not to blame for: its delivery was lost with a connection, and this process lived on, so the job
 * did not kill it. The broker counts such returns like crashes. Where a job is known to have been lost, that is remembered
 * by its id. But a loss also gives back deliveries that were still on their way, and those whose acks were: so each loss
 * of the consumer pardons one return of any job for a while.
 */
export class Pardons {
  readonly #byId = new Map<string, number>();
  readonly #overdue = new Map<string, number>();
  readonly #lossesAtMs: number[] = [];

  add(jobId: string): void {
    countOne(this.#byId, jobId);
  }

  /**
   * The opposite: the broker took the job back because it was out for too long. From RabbitMQ 4.3 the broker does not count
   * that, before it does for all that was out.
   */
  addOverdue(jobId: string): void {
    countOne(this.#overdue, jobId);
  }

  /** How often it was. */
  overdueOf(jobId: string | undefined): number {
    if (jobId === undefined || this.#overdue.size === 0) return 0;
    return this.#overdue.get(jobId) ?? 0;
  }

  /** The consumer was lost, with all that was out, and by no job's fault. */
  addLoss(): void {
    this.#lossesAtMs.push(performance.now());
    if (this.#lossesAtMs.length > MAX_LOSSES) this.#lossesAtMs.shift();
  }

  of(jobId: string | undefined): number {
    const known = (jobId !== undefined && this.#byId.get(jobId)) || 0;
    return this.#lossesAtMs.length === 0 ? known : Math.max(known, this.#recentLosses());
  }

  forget(jobId: string): void {
    if (this.#byId.size > 0) this.#byId.delete(jobId);
    if (this.#overdue.size > 0) this.#overdue.delete(jobId);
  }

  #recentLosses(): number {
    const sinceMs = performance.now() - LOSS_COUNTS_MS;
    while ((this.#lossesAtMs[0] ?? sinceMs) < sinceMs) this.#lossesAtMs.shift();
    return this.#lossesAtMs.length;
  }
}

function countOne(counts: Map<string, number>, jobId: string): void {
  const count = (counts.get(jobId) ?? 0) + 1;
  // Set anew, so that the oldest entry stays the first.
  counts.delete(jobId);
  counts.set(jobId, count);
  if (counts.size <= MAX_REMEMBERED) return;
  const oldest = counts.keys().next();
  if (!oldest.done) counts.delete(oldest.value);
}
