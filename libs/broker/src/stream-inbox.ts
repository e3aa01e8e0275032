import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from 'amqplib';
import type { StreamMessage } from './stream-message.ts';

/** What an inbox does with messages. */
export interface StreamInboxPlan {
  take(messages: readonly StreamMessage[]): Promise<void>;
  /** Messages up to this tag of their channel were taken. */
  onTaken(channel: Channel, tag: number): void;
  onFailed(error: unknown): void;
  /** Before the next try, after so many failures in a row. */
  pauseMs(failures: number): number;
}

/** Messages that were read from a stream, handed over in order, as many at a time as there are. */
export class StreamInbox {
  readonly #plan: StreamInboxPlan;
  readonly #ending = new AbortController();
  #waiting: StreamMessage[] = [];
  /** Those that wait came through one channel: what another one brought is forgotten with it. */
  #channel: Channel | undefined;
  #lastTag = 0;
  #running: Promise<void> | undefined;

  constructor(plan: StreamInboxPlan) {
    this.#plan = plan;
  }

  add(message: StreamMessage, channel: Channel, tag: number): void {
    this.#waiting.push(message);
    this.#channel = channel;
    this.#lastTag = tag;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Forgets what waits. @returns the offset of the first of these; undefined when there is none */
  forget(): number | undefined {
    const [first] = this.#waiting;
    this.#waiting = [];
    return first?.offset;
  }

  /** Hands nothing more over. Resolves when the last call has been answered. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.forget();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Messages of the same turn come in one after the other.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const messages = this.#waiting;
      const channel = this.#channel as Channel;
      const tag = this.#lastTag;
      this.#waiting = [];
      if (await this.#give(messages)) this.#plan.onTaken(channel, tag);
    }
  }

  /** False when it was closed before they were taken. */
  async #give(messages: readonly StreamMessage[]): Promise<boolean> {
    const { signal } = this.#ending;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#plan.take(messages);
        return true;
      } catch (error) {
        this.#plan.onFailed(error);
        await pause(this.#plan.pauseMs(failures), undefined, { signal }).catch(() => {});
      }
    }
    return false;
  }
}
