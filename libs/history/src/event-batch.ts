import type { HistoryEvent } from './event.ts';

/** Events that travel as one message. */
export class EventBatch {
  #events: HistoryEvent[] = [];
  #bytes = 0;
  #minor = 0;
  #settled: Promise<void> | undefined;
  #settle: (() => void) | undefined;
  #over: Promise<void> | undefined;
  #end: (() => void) | undefined;

  get events(): readonly HistoryEvent[] {
    return this.#events;
  }

  /** About what they take, in memory and on the way. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Events that a job's history can best do without: progress and log lines. */
  get minor(): number {
    return this.#minor;
  }

  add(event: HistoryEvent, bytes: number): void {
    this.#events.push(event);
    this.#bytes += bytes;
    if (isMinor(event)) this.#minor += 1;
  }

  /** Takes out the minor events. @returns them */
  dropMinor(): readonly HistoryEvent[] {
    const minor = this.#events.filter(isMinor);
    this.#events = this.#events.filter((event) => !isMinor(event));
    this.#bytes = this.#events.reduce((sum, event) => sum + sizeOf(event), 0);
    this.#minor = 0;
    return minor;
  }

  /** Resolves at `settle`; all who wait share one promise. */
  whenSettled(): Promise<void> {
    this.#settled ??= new Promise((resolve) => {
      this.#settle = resolve;
    });
    return this.#settled;
  }

  /** It is confirmed, or nobody shall wait for it any longer. */
  settle(): void {
    this.#settle?.();
  }

  /** Resolves at `end`. */
  whenOver(): Promise<void> {
    this.#over ??= new Promise((resolve) => {
      this.#end = resolve;
    });
    return this.#over;
  }

  /** It is confirmed, or given up. */
  end(): void {
    this.#end?.();
  }
}

export function isMinor({ kind }: HistoryEvent): boolean {
  return kind === 'log' || kind === 'progress';
}

/** What the fields of every event take, their names included. */
const BASE_BYTES = 160;
const ERROR_BYTES = 40;

/** About the bytes that an event takes as JSON; texts of other alphabets take more. */
export function sizeOf(event: HistoryEvent): number {
  const names = event.id.length + event.type.length + event.queue.length + event.run.length;
  return BASE_BYTES + names + detailBytes(event);
}

function detailBytes(event: HistoryEvent): number {
  switch (event.kind) {
    case 'log':
      return event.message.length + (event.fields?.length ?? 0);
    case 'progress':
      return event.message?.length ?? 0;
    case 'succeeded':
      return (event.result?.length ?? 0) + (event.resultProblem?.length ?? 0);
    case 'retrying':
    case 'dead':
      return event.error ? errorBytes(event.error) : 0;
    default:
      return 0;
  }
}

function errorBytes({
  name,
  message,
  stack,
}: {
  name: string;
  message: string;
  stack?: string | undefined;
}): number {
  return ERROR_BYTES + name.length + message.length + (stack?.length ?? 0);
}
