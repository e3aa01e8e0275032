import type { HistoryEvent } from './event.ts';
import { isMinor } from './event-batch.ts';

/** A writer has given up events of a queue that no reader will see: where its jobs stand may be other than is told. */
export interface Drops {
  /** Without namespace, as in events; empty for any. */
  readonly queue: string;
  /** When the first and the last of them happened, ms since 1970 by the writer's clock. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Queues that are told apart. */
const MAX_QUEUES = 100;

/** What a writer has given up and not told yet, but for lines and progress: they leave a job where it is. */
export class DropTally {
  #drops = new Map<string, Drops>();

  get isEmpty(): boolean {
    return this.#drops.size === 0;
  }

  add(events: readonly HistoryEvent[]): void {
    for (const event of events) {
      if (!isMinor(event))
        this.#merge({ queue: event.queue, fromMs: event.atMs, toMs: event.atMs });
    }
  }

  /** All of it; the tally is empty then. */
  take(): readonly Drops[] {
    const drops = [...this.#drops.values()];
    this.#drops = new Map();
    return drops;
  }

  /** What was taken could not be told. */
  putBack(drops: readonly Drops[]): void {
    for (const one of drops) this.#merge(one);
  }

  #merge({ queue, fromMs, toMs }: Drops): void {
    const isFull = this.#drops.size >= MAX_QUEUES && !this.#drops.has(queue);
    const key = isFull ? '' : queue;
    const known = this.#drops.get(key) ?? { fromMs, toMs };
    this.#drops.set(key, {
      queue: key,
      fromMs: Math.min(known.fromMs, fromMs),
      toMs: Math.max(known.toMs, toMs),
    });
  }
}

const MAX_NAME_LENGTH = 255;

/** The drops in what was parsed; undefined where there are none, or one is not what it should be. */
export function dropsIn(value: unknown): readonly Drops[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const drops = value.map(dropIn);
  return drops.every((one) => one !== undefined) ? drops : undefined;
}

function dropIn(value: unknown): Drops | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { queue, fromMs, toMs } = value as Readonly<Record<string, unknown>>;
  if (typeof queue !== 'string' || queue.length > MAX_NAME_LENGTH) return undefined;
  if (!isTime(fromMs) || !isTime(toMs)) return undefined;
  return { queue, fromMs, toMs };
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
