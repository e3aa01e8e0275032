import { ConfigInvalidError } from '@warren/contracts';
import { plainText } from '@warren/history';

const EVERY_MS = 100;
const MAX_MESSAGE_BYTES = 1_024;

type Tell = (fraction: number, message: string | undefined) => void;

/** A handler's progress, told at most every 100 ms: what is passed over meanwhile is not told, but the last always is. */
export class ProgressMeter {
  readonly #tell: Tell;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #left: { readonly fraction: number; readonly message: string | undefined } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Does nothing once it has ended. */
  report(fraction: number, message: string | undefined): void {
    if (this.#ended) return;
    this.#left = { fraction, message };
    const restMs = this.#toldAtMs + EVERY_MS - performance.now();
    if (restMs <= 0) this.#tellLeft();
    else this.#timer ??= setTimeout(() => this.#tellLeft(), restMs).unref();
  }

  /** Tells what is left. */
  end(): void {
    this.#tellLeft();
    this.#ended = true;
  }

  #tellLeft(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const left = this.#left;
    if (!left) return;
    this.#left = undefined;
    this.#toldAtMs = performance.now();
    this.#tell(left.fraction, left.message);
  }
}

/**
 * Refuses what is no progress; returns the message within its bound.
 * @throws ConfigInvalidError naming `progress`
 */
export function checkProgress(fraction: unknown, message: unknown): string | undefined {
  if (typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) {
    throw new ConfigInvalidError(
      'progress',
      `expected a number from 0 to 1, got ${typeof fraction === 'number' ? fraction : typeof fraction}`,
    );
  }
  if (message === undefined) return undefined;
  if (typeof message !== 'string') {
    throw new ConfigInvalidError('progress', `expected a text, got ${typeof message}`);
  }
  return plainText(message, MAX_MESSAGE_BYTES);
}
