import type { HistoryEvent } from './event.ts';
import { EventBatch, isMinor, sizeOf } from './event-batch.ts';

/** The most that is held in memory. */
export interface SpoolLimits {
  readonly maxEvents: number;
  /** As `sizeOf` estimates them. */
  readonly maxBytes: number;
}

const BATCH_EVENTS = 500;
const BATCH_BYTES = 256 * 1_024;
/** No event of the kit's own comes near it. A batch with it must still fit into a message. */
const MAX_EVENT_BYTES = 1_024 * 1_024;

/**
 * Events between being told and being confirmed, in batches. Where there are too many, progress and log lines go first,
 * the oldest of them before others, then the oldest batch. Pure: it sends nothing.
 */
export class Spool {
  readonly #limits: SpoolLimits;
  readonly #onDropped: (events: readonly HistoryEvent[]) => void;
  #open = new EventBatch();
  readonly #full: EventBatch[] = [];
  #taken: EventBatch[] = [];
  #events = 0;
  #bytes = 0;
  #minorInFull = 0;

  /** @param onDropped told which events are given up, whenever some are */
  constructor(limits: SpoolLimits, onDropped: (events: readonly HistoryEvent[]) => void) {
    this.#limits = limits;
    this.#onDropped = onDropped;
  }

  /** Events held, those on their way included. */
  get events(): number {
    return this.#events;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get hasFullBatch(): boolean {
    return this.#full.length > 0;
  }

  /** Does something wait to be taken? */
  get isEmpty(): boolean {
    return this.#full.length === 0 && this.#open.events.length === 0;
  }

  /** The batch that the event is in; undefined when there is no room for it. */
  add(event: HistoryEvent): EventBatch | undefined {
    const bytes = sizeOf(event);
    if (bytes > MAX_EVENT_BYTES || !this.#hasRoom(event, bytes)) {
      this.#onDropped([event]);
      return undefined;
    }
    const batch = this.#open;
    batch.add(event, bytes);
    this.#events += 1;
    this.#bytes += bytes;
    if (batch.events.length >= BATCH_EVENTS || batch.bytes >= BATCH_BYTES) this.#seal();
    return batch;
  }

  /** The oldest batch, if need be the one that is not full; undefined when nothing waits. */
  take(): EventBatch | undefined {
    if (this.#full.length === 0 && this.#open.events.length > 0) this.#seal();
    const batch = this.#full.shift();
    if (!batch) return undefined;
    this.#minorInFull -= batch.minor;
    this.#taken.push(batch);
    return batch;
  }

  /** Resolves when all that is held now has arrived, or was given up. */
  async whenOver(): Promise<void> {
    const held = [...this.#taken, ...this.#full, this.#open].filter(
      ({ events }) => events.length > 0,
    );
    await Promise.all(held.map((batch) => batch.whenOver()));
  }

  /** What was taken could not be sent: it is the next one again. */
  putBack(batch: EventBatch): void {
    this.#taken = this.#taken.filter((one) => one !== batch);
    this.#full.unshift(batch);
    this.#minorInFull += batch.minor;
  }

  /** What was taken has arrived. */
  release(batch: EventBatch): void {
    this.#taken = this.#taken.filter((one) => one !== batch);
    batch.end();
    this.#events -= batch.events.length;
    this.#bytes -= batch.bytes;
  }

  /** Gives up a batch that was taken. */
  drop(batch: EventBatch): void {
    this.release(batch);
    batch.settle();
    this.#onDropped(batch.events);
  }

  #seal(): void {
    this.#full.push(this.#open);
    this.#minorInFull += this.#open.minor;
    this.#open = new EventBatch();
  }

  #isOver(bytes: number): boolean {
    return this.#events >= this.#limits.maxEvents || this.#bytes + bytes > this.#limits.maxBytes;
  }

  /** Is there room, or can it be made? */
  #hasRoom(event: HistoryEvent, bytes: number): boolean {
    while (this.#isOver(bytes)) {
      if (this.#minorInFull > 0) this.#dropOldestMinor();
      else if (isMinor(event) || this.#full.length === 0) return false;
      else this.drop(this.take() as EventBatch);
    }
    return true;
  }

  #dropOldestMinor(): void {
    const batch = this.#full.find(({ minor }) => minor > 0);
    if (!batch) return;
    const { minor, bytes } = batch;
    const dropped = batch.dropMinor();
    this.#minorInFull -= minor;
    this.#events -= minor;
    this.#bytes -= bytes - batch.bytes;
    this.#onDropped(dropped);
    if (batch.events.length > 0) return;
    this.#full.splice(this.#full.indexOf(batch), 1);
    batch.end();
  }
}
