import { ShuttingDownError, WaitTimeoutError } from '@warren/contracts';
import { type HistoryEvent, HistoryReader, type StreamSource } from '@warren/history';
import type { Logger, Metrics } from '@warren/telemetry';
import { EndedJobs } from './ended-jobs.ts';
import { type Ending, resultOf } from './ending.ts';
import { checkWait, type WaitOptions } from './wait-options.ts';

/** What is needed to wait for jobs. */
export interface JobWaitsOptions {
  readonly broker: StreamSource;
  readonly stream: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Somebody who waits for one job. */
interface Wait {
  readonly queue: string | undefined;
  settle(ending: Ending): void;
  fail(error: Error): void;
}

/** Clocks differ, and a stream is entered at a block of messages, whose time is that of its first. */
const BACK_MS = 10_000;
/** A reader that nobody needs is kept for so long. */
const IDLE_MS = 30_000;
/** Readers that begin earlier are opened at most so often, for all who need one. */
const REOPEN_MS = 100;

/**
 * Waits for the ends of jobs, all on one reader of the history, which is opened for the first of them and closed when none is
 * left for half a minute.
 */
export class JobWaits {
  readonly #options: JobWaitsOptions;
  readonly #ended = new EndedJobs();
  readonly #open = new Map<string, Set<Wait>>();
  #reader: HistoryReader | undefined;
  #idle: NodeJS.Timeout | undefined;
  #reopening: NodeJS.Timeout | undefined;
  #earliestMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: JobWaitsOptions) {
    this.#options = options;
  }

  /**
   * What the handler of the job returned.
   * @throws JobFailedError, ResultMissingError, WaitTimeoutError, ShuttingDownError, ConfigInvalidError naming the option
   */
  async wait(id: string, options: WaitOptions): Promise<unknown> {
    const sinceMs = checkWait(id, options, Date.now());
    if (this.#isClosed) throw new ShuttingDownError('wait');
    const known = this.#ended.find(id, options.queue);
    return resultOf(known ?? (await this.#endOf(id, options, sinceMs)));
  }

  /** Rejects all waits. Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reopening);
    for (const wait of [...this.#open.values()].flatMap((waits) => [...waits])) {
      wait.fail(new ShuttingDownError('wait'));
    }
    clearTimeout(this.#idle);
    await this.#reader?.close();
  }

  #endOf(id: string, { timeoutMs, queue }: WaitOptions, sinceMs: number): Promise<Ending> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#remove(id, wait);
      };
      const wait: Wait = {
        queue,
        settle: (ending) => {
          end();
          resolve(ending);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        wait.fail(new WaitTimeoutError(id, timeoutMs, this.#reader?.problem));
      }, timeoutMs);
      this.#open.set(id, (this.#open.get(id) ?? new Set()).add(wait));
      this.#readSince(sinceMs);
    });
  }

  #remove(id: string, wait: Wait): void {
    const waits = this.#open.get(id);
    waits?.delete(wait);
    if (waits?.size === 0) this.#open.delete(id);
    if (this.#open.size > 0 || this.#isClosed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #rest(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#ended.startOver(Number.POSITIVE_INFINITY);
    void reader?.close();
  }

  #readSince(sinceMs: number): void {
    clearTimeout(this.#idle);
    if (sinceMs >= this.#ended.completeSinceMs) return;
    this.#earliestMs = Math.min(this.#earliestMs, sinceMs);
    if (!this.#reader) this.#reopen();
    else this.#reopening ??= setTimeout(() => this.#reopen(), REOPEN_MS).unref();
  }

  /** The reader before it may read a little on meanwhile: what is told twice changes nothing. */
  #reopen(): void {
    clearTimeout(this.#reopening);
    this.#reopening = undefined;
    const sinceMs = this.#earliestMs - BACK_MS;
    this.#earliestMs = Number.POSITIVE_INFINITY;
    void this.#reader?.close();
    this.#ended.startOver(sinceMs);
    const { broker, stream, logger, metrics } = this.#options;
    this.#reader = new HistoryReader({
      broker,
      stream,
      from: { sinceMs },
      logger,
      metrics,
      onBatch: async ({ events }) => this.#take(events),
    });
    this.#reader.start();
  }

  #take(events: readonly HistoryEvent[]): void {
    for (const event of events) {
      const ending = this.#ended.see(event);
      if (!ending) continue;
      for (const wait of [...(this.#open.get(event.id) ?? [])]) {
        if (wait.queue === undefined || wait.queue === event.queue) wait.settle(ending);
      }
    }
  }
}
