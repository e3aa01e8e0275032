import { ConfigInvalidError } from '@warren/contracts';

/** As JSON, in bytes of UTF-8. */
export const MAX_CHECKPOINT_BYTES = 262_144;

/**
 * Keeps the last state of a run: one at a time is on its way to the store, one more waits. What comes in between need not be
 * kept.
 */
export class Checkpoints {
  readonly #keep: (state: string) => Promise<void>;
  #latest = '';
  #keeping: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(keep: (state: string) => Promise<void>) {
    this.#keep = keep;
  }

  /**
   * Resolves when this state, or one that came after it, is kept.
   * @throws ConfigInvalidError naming `checkpoint`, or what keeping it threw
   */
  async save(state: unknown): Promise<void> {
    this.#latest = encodeCheckpoint(state);
    this.#waiting ??= this.#keeping.then(() => {
      this.#waiting = undefined;
      const kept = this.#keep(this.#latest);
      this.#keeping = kept.catch(() => {});
      return kept;
    });
    return this.#waiting;
  }
}

/** @throws ConfigInvalidError naming `checkpoint` */
export function encodeCheckpoint(state: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(state);
  } catch (error) {
    throw new ConfigInvalidError('checkpoint', `is no JSON: ${(error as Error).message}`);
  }
  if (text === undefined) {
    throw new ConfigInvalidError('checkpoint', `is no JSON: ${typeof state}`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_CHECKPOINT_BYTES) return text;
  throw new ConfigInvalidError(
    'checkpoint',
    `has ${bytes} bytes as JSON, at most ${MAX_CHECKPOINT_BYTES} are kept`,
  );
}
