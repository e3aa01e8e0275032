import type { IncomingMessage } from 'node:http';
import { ShuttingDownError } from '@warren/contracts';
import { HttpError } from './http-error.ts';

/** How long a body of any length may be waited for. */
export interface ChunkTimes {
  /** From one chunk to the next. */
  readonly idleMs: number;
  /** For the rest of the body, once the process is stopping. */
  readonly restMs: number;
}

const TIMES: ChunkTimes = { idleMs: 60_000, restMs: 2_000 };

/** The body has ended before it was complete, and nobody waits for an answer any more. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client is gone');
    this.name = 'ClientGoneError';
  }
}

/**
 * A request's body, chunk by chunk, no faster than it is asked for. Leaves the request open when it is left early.
 * @throws ClientGoneError, HttpError 408 when nothing comes for too long, ShuttingDownError when the body does not end
 * soon after `stopping`
 */
export async function* bodyChunks(
  request: IncomingMessage,
  stopping: AbortSignal,
  times: ChunkTimes = TIMES,
): AsyncGenerator<Buffer, void, undefined> {
  const wait = new Wait(times, stopping);
  request.on('readable', wait.end).on('end', wait.end).on('close', wait.end);
  try {
    for (;;) {
      if (wait.failure) throw wait.failure;
      const chunk = request.read() as Buffer | null;
      if (chunk) yield chunk;
      else if (request.readableEnded) return;
      else if (request.destroyed) throw new ClientGoneError();
      else await wait.begin();
    }
  } finally {
    request.off('readable', wait.end).off('end', wait.end).off('close', wait.end);
    wait.dispose();
  }
}

/** Waits for something to happen, but neither too long nor long after the process began to stop. */
class Wait {
  readonly #times: ChunkTimes;
  readonly #stopping: AbortSignal;
  #rest: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;

  constructor(times: ChunkTimes, stopping: AbortSignal) {
    this.#times = times;
    this.#stopping = stopping;
    stopping.addEventListener('abort', this.#onStopping);
    if (stopping.aborted) this.#onStopping();
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  async begin(): Promise<void> {
    const { idleMs } = this.#times;
    const timer = setTimeout(() => this.#fail(idleFor(idleMs)), idleMs);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    clearTimeout(timer);
  }

  readonly end = (): void => this.#wake?.();

  dispose(): void {
    clearTimeout(this.#rest);
    this.#stopping.removeEventListener('abort', this.#onStopping);
  }

  readonly #onStopping = (): void => {
    const error = new ShuttingDownError('the rest of the body was not read');
    this.#rest = setTimeout(() => this.#fail(error), this.#times.restMs);
  };

  #fail(error: Error): void {
    this.#failure ??= error;
    this.end();
  }
}

function idleFor(idleMs: number): HttpError {
  const message = `nothing of the body arrived for ${idleMs} ms`;
  return new HttpError(408, message, { errors: [{ field: 'body', message }] });
}
