import { QueueFullError } from '@warren/contracts';

/** How long what is known of a queue counts. */
const FRESH_MS = 1_000;
/** So long a publish goes on by what is known, while it is asked for anew beside it. */
const USABLE_MS = 5_000;
/** A broker that does not answer in this time is not waited for. */
const ANSWER_WITHIN_MS = 1_000;

/** Undefined where nobody could say. */
type Ready = number | undefined;

interface Known {
  readonly ready: Ready;
  readonly atMs: number;
}

/** What a depth watch needs. */
export interface DepthWatchOptions {
  /** Jobs that wait in a queue; rejects, or has undefined, where that is not known. */
  ask(queue: string): Promise<Ready>;
  /** Of a clock that is never set. */
  nowMs(): number;
}

/**
 * Says whether a queue takes more, by what the broker said of it within the last second. Asked for by publishes only, and at
 * most once a second for each queue; a publish that may go on does not wait for it, unless nothing was known for a while.
 * Where nobody can say, it may go on: whoever publishes finds out what is wrong.
 */
export class DepthWatch {
  readonly #options: DepthWatchOptions;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Ready>>();

  constructor(options: DepthWatchOptions) {
    this.#options = options;
  }

  /** Why a queue takes no more; undefined where it does. Never rejects. */
  refusal(
    queue: string,
    maxDepth: number,
  ): QueueFullError | undefined | Promise<QueueFullError | undefined> {
    const known = this.#known.get(queue);
    const ageMs = known ? this.#options.nowMs() - known.atMs : Number.POSITIVE_INFINITY;
    if (known && ageMs <= FRESH_MS) return full(queue, known.ready, maxDepth);
    const asking = this.#ask(queue);
    if (known && ageMs <= USABLE_MS && !isOver(known.ready, maxDepth)) return undefined;
    return asking.then((ready) => full(queue, ready, maxDepth));
  }

  #ask(queue: string): Promise<Ready> {
    let asking = this.#asking.get(queue);
    if (!asking) {
      asking = this.#answer(queue);
      this.#asking.set(queue, asking);
    }
    return asking;
  }

  async #answer(queue: string): Promise<Ready> {
    const ready = await inTime(this.#options.ask(queue));
    this.#known.set(queue, { ready, atMs: this.#options.nowMs() });
    this.#asking.delete(queue);
    return ready;
  }
}

function full(queue: string, ready: Ready, maxDepth: number): QueueFullError | undefined {
  return isOver(ready, maxDepth) ? new QueueFullError(queue, ready ?? 0, maxDepth) : undefined;
}

function isOver(ready: Ready, maxDepth: number): boolean {
  return ready !== undefined && ready >= maxDepth;
}

async function inTime(answer: Promise<Ready>): Promise<Ready> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
