import type { Delivery } from '@warren/broker';
import type { Job } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
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

  constructor(options: KeyedQueueOptions) {
    this.#options = options;
    this.line = new KeyedLine<Delivery>({
      keysOf: (delivery) => this.#keys.get(delivery) ?? NO_KEYS,
      mayStart: (key) => options.gate?.mayStart(key) ?? true,
      orderOf: ({ tag }) => tag,
    });
  }

  /** Learns the keys of a delivery; then `place` puts it where it waits, unless it is put off at once. */
  receive(delivery: Delivery, place: () => void): void {
    const { fairBy, limitBy, gate } = this.#options;
    if (!fairBy && !limitBy) {
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
    const { gate } = this.#options;
    const limit = this.#keys.get(delivery)?.limit;
    if (!gate || limit === undefined) return execute(delivery);
    gate.begin(delivery, limit);
    await execute(delivery);
    gate.end(delivery);
  }

  #sort(delivery: Delivery, job: Job | undefined, place: () => void): void {
    const { fairBy, limitBy, gate, logger } = this.#options;
    if (job) {
      const limit = gate && (limitBy ? keyIn(limitBy, job, logger) : '');
      const turn = fairBy ? keyIn(fairBy, job, logger) : (limit ?? '');
      this.#keys.set(delivery, { turn, limit });
      if (gate && limit !== undefined && !gate.mayStart(limit)) {
        void this.#waitOrPutOff(delivery, limit, gate, place);
        return;
      }
    }
    place();
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
