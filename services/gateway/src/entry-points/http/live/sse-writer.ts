import type { Response } from 'express';
import { timedUntilNow } from '../request-times.ts';

const HEARTBEAT_MS = 15_000;
/** What a client has not taken yet; one that is further behind is dropped, and may come back with its last event id. */
const MAX_BEHIND_BYTES = 1024 * 1024;

/** Server-sent events to one client, with comments while there is nothing to say. */
export class SseWriter {
  readonly #response: Response;
  readonly #heartbeat: NodeJS.Timeout;
  #isOver = false;

  /** @param onOver called once, when the client is gone, too slow, or `end` was called */
  constructor(response: Response, onOver: () => void) {
    this.#response = response;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that buffer would keep events back.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    timedUntilNow(response);
    const onClose = () => {
      this.#isOver = true;
      clearInterval(this.#heartbeat);
      onOver();
    };
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), HEARTBEAT_MS);
    // Who went away before this was made is not told of again.
    if (response.destroyed) setImmediate(onClose);
    else response.once('close', onClose);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param id where to go on after this event, if it is the last one of its place */
  send(event: string, data: unknown, id?: number): void {
    // JSON has no line ends of its own.
    const place = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#isOver) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_BEHIND_BYTES) this.#response.destroy();
  }
}
