import { setTimeout as pause } from 'node:timers/promises';
import { CircuitBoard, type CircuitEverywhere } from './circuit-board.ts';
import { LimitBoard, type LimitInWorker } from './limit-board.ts';
import { type HistoryBatch, HistoryReader, type HistoryReaderOptions } from './reader.ts';

/** What a watch reads with. */
export type WorkerWatchOptions = Pick<
  HistoryReaderOptions,
  'broker' | 'stream' | 'logger' | 'metrics'
>;

/** Within these, every worker that lives has beaten twice. */
const LOOK_BACK_MS = 12_000;
const OPEN_WITHIN_MS = 5_000;
const CATCH_UP_MS = 3_000;
const QUIET_MS = 300;
const LOOK_EVERY_MS = 20;
/** Workers that are there are heard of sooner: for somebody who goes on listening this is enough. */
const SPEAKS_WITHIN_MS = 500;
/** Nothing tells of a worker's silence. */
const TELL_EVERY_MS = 2_000;
/** Whoever looks again soon finds it up to date. */
const LINGER_MS = 60_000;

/**
 * What workers tell of themselves, for whoever asks: where their circuits stand, and which limits they have. The history is
 * read from a little before the first question on, and no longer once nobody has asked for a minute.
 */
export class WorkerWatch {
  readonly #options: WorkerWatchOptions;
  #circuits = new CircuitBoard();
  #limits = new LimitBoard();
  #reader: HistoryReader | undefined;
  #ready: Promise<void> | undefined;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #toldAtMs = 0;
  #idle: NodeJS.Timeout | undefined;
  readonly #followers = new Map<(circuits: readonly CircuitEverywhere[]) => void, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: WorkerWatchOptions) {
    this.#options = options;
  }

  /** All circuits that workers tell of. Bounded: what a stream does not tell within seconds is not waited for. */
  async circuits(): Promise<readonly CircuitEverywhere[]> {
    await this.#look();
    return this.#circuits.list(Date.now());
  }

  /** As `circuits`, for whoever cannot wait for long: where nobody is heard, that is told at once. */
  async circuitsSoon(): Promise<readonly CircuitEverywhere[]> {
    await Promise.race([this.#look(), this.#silence()]);
    return this.#circuits.list(Date.now());
  }

  /** Why workers cannot be heard; undefined where they can, and before anybody has asked. */
  get problem(): string | undefined {
    return this.#reader?.problem;
  }

  /** All limits that workers tell of. Bounded in the same way. */
  async limits(): Promise<readonly LimitInWorker[]> {
    await this.#look();
    return this.#limits.list(Date.now());
  }

  /**
   * Tells of all circuits, and again whenever workers tell of theirs or fall silent, until the answer is called or the watch is
   * closed. It has told once when it resolves: at once where nobody is heard, and it hears of who speaks later.
   */
  async follow(tell: (circuits: readonly CircuitEverywhere[]) => void): Promise<() => void> {
    const told = () => tell(this.#circuits.list(Date.now()));
    this.#followers.set(tell, setInterval(told, TELL_EVERY_MS).unref());
    await Promise.race([this.#look(), this.#silence()]);
    if (this.#followers.has(tell)) told();
    return () => {
      clearInterval(this.#followers.get(tell));
      this.#followers.delete(tell);
      this.#rest();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#followers.values()) clearInterval(timer);
    this.#followers.clear();
    await this.#end();
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#idle);
    this.#reader ??= this.#open();
    this.#ready ??= this.#catchUp(this.#reader);
    await this.#ready;
    this.#rest();
  }

  #tellFollowers(nowMs: number): void {
    if (this.#followers.size === 0) return;
    const circuits = this.#circuits.list(nowMs);
    for (const tell of this.#followers.keys()) tell(circuits);
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#followers.size > 0 || this.#isClosed) return;
    this.#idle = setTimeout(() => void this.#end(), LINGER_MS).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const reader = this.#reader;
    this.#reader = undefined;
    this.#ready = undefined;
    this.#circuits = new CircuitBoard();
    this.#limits = new LimitBoard();
    this.#heardAtMs = Number.NEGATIVE_INFINITY;
    await reader?.close();
  }

  /** Resolves when the stream is read and nobody speaks; else never before the look does. */
  async #silence(): Promise<void> {
    await this.#whenOpen();
    await pause(SPEAKS_WITHIN_MS);
    if (this.#heardAtMs > 0) await this.#ready;
  }

  #open(): HistoryReader {
    const reader = new HistoryReader({
      ...this.#options,
      from: { sinceMs: Date.now() - LOOK_BACK_MS },
      onBatch: async (batch) => this.#take(batch),
    });
    reader.start();
    return reader;
  }

  #take({ events, heartbeats, circuits }: HistoryBatch): void {
    const nowMs = Date.now();
    for (const beat of heartbeats) {
      this.#circuits.hearBeat(beat, nowMs);
      this.#limits.hearBeat(beat, nowMs);
    }
    for (const report of circuits) this.#circuits.hearReport(report, nowMs);
    if (heartbeats.length + circuits.length > 0) this.#tellFollowers(nowMs);
    this.#heardAtMs = performance.now();
    this.#toldAtMs = (heartbeats.at(-1) ?? circuits.at(-1) ?? events.at(-1))?.atMs ?? 0;
  }

  /** Or enough of waiting. */
  async #whenOpen(): Promise<void> {
    const openBy = performance.now() + OPEN_WITHIN_MS;
    while (this.#reader?.problem !== undefined && performance.now() < openBy) {
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Read up to now, as far as clocks agree; or as much as there is; or enough of waiting. */
  async #catchUp(reader: HistoryReader): Promise<void> {
    const askedAtMs = Date.now();
    await this.#whenOpen();
    const endsAt = performance.now() + CATCH_UP_MS;
    while (performance.now() < endsAt && this.#reader === reader) {
      const isQuiet = performance.now() - this.#heardAtMs > QUIET_MS;
      if (this.#heardAtMs > 0 && (isQuiet || this.#toldAtMs >= askedAtMs)) return;
      await pause(LOOK_EVERY_MS);
    }
  }
}
