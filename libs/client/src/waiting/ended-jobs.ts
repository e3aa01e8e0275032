import { compareOrder, type HistoryEvent, orderKeyOf } from '@warren/history';
import { type Ending, endingOf } from './ending.ts';

/** How much is remembered. */
export interface EndedJobsLimits {
  readonly maxJobs: number;
  /** Of their results, about. */
  readonly maxBytes: number;
}

const DEFAULT_LIMITS: EndedJobsLimits = { maxJobs: 10_000, maxBytes: 16 * 1_024 * 1_024 };
/** What is kept of a job beside its result. */
const ENTRY_BYTES = 300;

/**
 * Jobs that ended lately, so that whoever asks a moment later is answered too. Bounded: the oldest are forgotten, and
 * `completeSinceMs` says since when none is missing.
 */
export class EndedJobs {
  readonly #limits: EndedJobsLimits;
  /** By id, oldest first; one id may have an ending in each of several queues. */
  readonly #endings = new Map<string, readonly Ending[]>();
  #bytes = 0;
  #completeSinceMs = Number.POSITIVE_INFINITY;

  constructor(limits: EndedJobsLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** ms since 1970; infinite before `startOver`. */
  get completeSinceMs(): number {
    return this.#completeSinceMs;
  }

  /** All that happened since then is going to be told. */
  startOver(sinceMs: number): void {
    this.#endings.clear();
    this.#bytes = 0;
    this.#completeSinceMs = sinceMs;
  }

  find(id: string, queue: string | undefined): Ending | undefined {
    return this.#endings.get(id)?.find(({ event }) => queue === undefined || event.queue === queue);
  }

  /** Returns the ending that it is, if it is one and the latest known. */
  see(event: HistoryEvent): Ending | undefined {
    const key = orderKeyOf(event);
    if (!key) return undefined;
    const known = this.find(event.id, event.queue);
    if (known && compareOrder(key, known.key) <= 0) return undefined;
    // A replay begins a new generation: the job has not ended any more.
    if (known) this.#forget(event.id, event.queue);
    const ending = endingOf(event);
    if (ending) this.#remember(ending);
    return ending;
  }

  #remember(ending: Ending): void {
    const { id } = ending.event;
    this.#endings.set(id, [...(this.#endings.get(id) ?? []), ending]);
    this.#bytes += bytesOf(ending);
    while (this.#endings.size > this.#limits.maxJobs || this.#bytes > this.#limits.maxBytes) {
      this.#forgetOldest();
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#endings;
    if (!oldest) return;
    const [id, endings] = oldest;
    this.#endings.delete(id);
    for (const ending of endings) {
      this.#bytes -= bytesOf(ending);
      this.#completeSinceMs = Math.max(this.#completeSinceMs, ending.event.atMs + 1);
    }
  }

  #forget(id: string, queue: string): void {
    const endings = this.#endings.get(id) ?? [];
    const rest = endings.filter(({ event }) => event.queue !== queue);
    for (const ending of endings) if (!rest.includes(ending)) this.#bytes -= bytesOf(ending);
    if (rest.length > 0) this.#endings.set(id, rest);
    else this.#endings.delete(id);
  }
}

function bytesOf({ event }: Ending): number {
  switch (event.kind) {
    case 'succeeded':
      return ENTRY_BYTES + (event.result?.length ?? 0) * 2;
    case 'dead':
      return (
        ENTRY_BYTES + ((event.error?.message.length ?? 0) + (event.error?.stack?.length ?? 0)) * 2
      );
    default:
      return ENTRY_BYTES;
  }
}
