/** The ledger did not take what was told to it: nothing more is done, since nobody could say later that it was. */
export class LedgerLostError extends Error {
  constructor(cause: unknown) {
    super(`the ledger cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

interface Waiting {
  readonly key: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes keys down, those that come while others are being written as one. */
export class KeyRecorder {
  readonly #write: (keys: Buffer) => Promise<void>;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(write: (keys: Buffer) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written. @throws LedgerLostError */
  add(key: Buffer): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
    });
    if (!this.#isWriting) void this.#writeAll();
    return written;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Those of the same turn go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(Buffer.concat(batch.map(({ key }) => key)));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(new LedgerLostError(error));
      }
    }
    this.#isWriting = false;
  }
}
