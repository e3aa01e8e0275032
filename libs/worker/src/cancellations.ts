import { type CancelRequest, isCancelled } from '@warren/contracts';

const MAX_REMEMBERED = 100_000;

/** Which jobs are cancelled, for those that are still to be delivered. The oldest is forgotten first. */
export class Cancellations {
  readonly #byId = new Map<string, readonly CancelRequest[]>();
  readonly #max: number;

  constructor(max = MAX_REMEMBERED) {
    this.#max = max;
  }

  get size(): number {
    return this.#byId.size;
  }

  note(request: CancelRequest): void {
    const { id, queue, generation } = request;
    const others = (this.#byId.get(id) ?? []).filter(
      (other) => other.queue !== queue || other.generation !== generation,
    );
    // Set anew, so that the oldest entry stays the first.
    this.#byId.delete(id);
    this.#byId.set(id, [...others.slice(-9), request]);
    if (this.#byId.size > this.#max) this.#forgetOldest();
  }

  /** The request that means a job of `queue`, the job type or subscriber. */
  find(
    queue: string,
    job: { readonly id: string | undefined; readonly generation: number },
  ): CancelRequest | undefined {
    if (this.#byId.size === 0 || job.id === undefined) return undefined;
    const { generation } = job;
    return this.#byId.get(job.id)?.find((request) => isCancelled(request, { queue, generation }));
  }

  #forgetOldest(): void {
    const oldest = this.#byId.keys().next();
    if (!oldest.done) this.#byId.delete(oldest.value);
  }
}
