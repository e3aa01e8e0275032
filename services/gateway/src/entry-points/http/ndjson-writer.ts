import type { ServerResponse } from 'node:http';

/** So much is collected before it is written: a system call and a chunk's frame for each line cost too much. */
const FLUSH_LENGTH = 16 * 1024;
/** A receiver that takes nothing for this long is cut off. */
const STALL_TIMEOUT_MS = 60_000;

/** Writes values as lines of JSON, soon but not one by one, and no faster than they are read. */
export class NdjsonWriter {
  readonly #response: ServerResponse;
  readonly #stallTimeoutMs: number;
  #text = '';
  #flushing: NodeJS.Immediate | undefined;
  #draining: Promise<void> | undefined;

  constructor(response: ServerResponse, stallTimeoutMs = STALL_TIMEOUT_MS) {
    this.#response = response;
    this.#stallTimeoutMs = stallTimeoutMs;
  }

  /** Anything written can no longer be taken back. */
  get isBegun(): boolean {
    return this.#response.headersSent;
  }

  /** Nobody receives what is written now. */
  get isGone(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  /** Returns a promise where the receiver is behind; await it before adding more. */
  add(value: unknown): void | Promise<void> {
    this.#text += `${JSON.stringify(value)}\n`;
    if (this.#text.length >= FLUSH_LENGTH) this.flush();
    else this.#flushing ??= setImmediate(() => this.flush());
    return this.#draining;
  }

  /** Drops what has not been written. */
  discard(): void {
    clearImmediate(this.#flushing);
    this.#text = '';
  }

  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const text = this.#text;
    this.#text = '';
    if (text === '' || this.isGone) return;
    if (!this.isBegun) this.#begin();
    if (!this.#response.write(text)) this.#draining ??= this.#drained();
  }

  /** Ends the answer; one that is not whole is cut off, so that nobody takes it for whole. */
  end(isWhole: boolean): void {
    if (!isWhole) {
      this.discard();
      this.#response.destroy();
      return;
    }
    this.flush();
    if (!this.isBegun && !this.isGone) this.#begin();
    this.#response.end();
  }

  #begin(): void {
    this.#response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      // Where the body is not read to its end, the connection cannot be used again.
      Connection: 'close',
    });
  }

  /** Resolves when the receiver has caught up, or is gone. */
  #drained(): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        response.off('drain', settle).off('close', settle);
        this.#draining = undefined;
        resolve();
      };
      const timer = setTimeout(() => response.destroy(), this.#stallTimeoutMs);
      response.on('drain', settle).on('close', settle);
    });
  }
}
