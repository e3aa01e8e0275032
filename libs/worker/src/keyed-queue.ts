import type { Delivery } from '@warren/broker';
import type { Job } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import type { JobKeySlots } from './job-key-slots.ts';
import { type KeyOf, keyIn } from './job-keys.ts';
import { type ItemKeys, KeyedLine } from './keyed-line.ts';
import type { LimitGate } from './limit-gate.ts';

/** What a queue needs whose jobs are told apart by keys. */
export interface KeyedQueueOptions {
  /** Those of different keys take turns. */
  readonly fairBy: KeyOf | undefined;
  /** By which its limit tells them apart. */
  readonly limitBy: KeyOf | undefined;
  readonly gate: LimitGate | undefined;
  /** How many of each key run at once. */
  readonly keySlots: JobKeySlots | undefined;
  /** How many deliveries that have to wait for others of their key may wait in hand; undefined where none is put off. */
  maxHeld(): number | undefined;
  readonly logger: Logger;
  /** The job that a delivery holds; undefined for what is settled without a run. */
  peek(delivery: Delivery): Job | undefined | Promise<Job | undefined>;
  postpone(delivery: Delivery, wait: { readonly delayMs: number }): Promise<void>;
}

/** Nothing is known of it, or it ends without a run: then nothing has to be waited for. */
const NO_KEYS: ItemKeys = Object.freeze({ turn: '', limit: undefined });
const ONE_LIMIT: ItemKeys = Object.freeze({ turn: '', limit: '' });

/** The deliveries of one queue, by their keys: whose turn it is, and who has to wait for a limit. */
export class KeyedQueue {
  readonly line: KeyedLine<Delivery>;
  readonly #options: KeyedQueueOptions;
  readonly #keys = new WeakMap<Delivery, ItemKeys>();
  /** Those that did not end without a run: only these tell how long runs take. */
  readonly #ran = new WeakSet<Delivery>();

  constructor(options: KeyedQueueOptions) {
    this.#options = options;
    this.line = new KeyedLine<Delivery>({
      keysOf: (delivery) => this.#keys.get(delivery) ?? NO_KEYS,
      mayStart: (keys) => this.#mayStart(keys),
      orderOf: ({ tag }) => tag,
    });
  }

  /** Learns the keys of a delivery; then `place` puts it where it waits, unless it is put off at once. */
  receive(delivery: Delivery, place: () => void): void {
    const { fairBy, limitBy, keySlots, gate } = this.#options;
    if (!fairBy && !limitBy && !keySlots) {
      if (gate) this.#keys.set(delivery, ONE_LIMIT);
      place();
      return;
    }
    const job = this.#options.peek(delivery);
    if (job instanceof Promise) {
      void job.then((known) => this.#sort(delivery, known, place));
    } else this.#sort(delivery, job, place);
  }

  /** Puts off all of a key but the first so many. */
  shed(key: string, keep: number, place: (delivery: Delivery) => void): void {
    const { gate } = this.#options;
    if (!gate) return;
    for (const delivery of this.line.takeBeyond(key, keep)) {
      void this.#waitOrPutOff(delivery, key, gate, () => place(delivery));
    }
  }

  /** Runs a delivery that has got a slot. */
  async start(delivery: Delivery, execute: (delivery: Delivery) => Promise<void>): Promise<void> {
    const { gate, keySlots } = this.#options;
    const { limit, slots } = this.#keys.get(delivery) ?? NO_KEYS;
    const leave = slots === undefined ? undefined : keySlots?.slots.begin(slots);
    if (gate && limit !== undefined) gate.begin(delivery, limit);
    await execute(delivery);
    gate?.end(delivery);
    leave?.(this.#ran.has(delivery));
  }

  /** Its handler has ended. */
  ran(delivery: Delivery): void {
    if (this.#options.keySlots) this.#ran.add(delivery);
  }

  #mayStart({ limit, slots }: ItemKeys): boolean {
    const { gate, keySlots } = this.#options;
    if (slots !== undefined && keySlots && !keySlots.slots.mayStart(slots)) return false;
    return limit === undefined || !gate || gate.mayStart(limit);
  }

  #sort(delivery: Delivery, job: Job | undefined, place: () => void): void {
    const { fairBy, limitBy, keySlots, gate, logger } = this.#options;
    if (job) {
      const limit = gate && (limitBy ? keyIn(limitBy, job, logger) : '');
      const slots = keySlots && keyIn(keySlots.keyOf, job, logger);
      const turn = fairBy
        ? keyIn(fairBy, job, logger)
        : ((limitBy && limit) ?? slots ?? limit ?? '');
      this.#keys.set(delivery, { turn, limit, slots });
      const delayMs = slots === undefined ? undefined : this.#waitForSlotMs(slots);
      if (delayMs !== undefined) {
        void this.#options.postpone(delivery, { delayMs });
        return;
      }
      if (gate && limit !== undefined && !gate.mayStart(limit)) {
        void this.#waitOrPutOff(delivery, limit, gate, place);
        return;
      }
    }
    place();
  }

  /** For how long to put off one whose key has all its slots taken; undefined where it may wait in hand. */
  #waitForSlotMs(key: string): number | undefined {
    const maxHeld = this.#options.maxHeld();
    const slots = this.#options.keySlots?.slots;
    if (!slots || maxHeld === undefined || slots.mayStart(key)) return undefined;
    if (this.line.countWhere((keys) => !this.#mayStart(keys)) < maxHeld) return undefined;
    return slots.putOffMs(
      key,
      this.line.countWhere((keys) => keys.slots === key),
    );
  }

  async #waitOrPutOff(
    delivery: Delivery,
    key: string,
    gate: LimitGate,
    place: () => void,
  ): Promise<void> {
    const delayMs = await gate.putOffMs(delivery, key);
    if (delayMs === undefined) place();
    else await this.#options.postpone(delivery, { delayMs });
  }
}
