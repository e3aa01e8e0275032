import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SnoozeError } from '@warren/contracts';
import {
  type Analysis,
  type KeptDocument,
  readAnalysis,
  writeAnalysis,
} from '../domain/analysis.ts';
import { chooseEvictions } from '../domain/choose-evictions.ts';
import { listKept, PART, removeLeftovers } from './list-kept.ts';
import { writeSynced } from './write-synced.ts';

export interface DocumentStoreOptions {
  /** Made when the first document comes. */
  readonly folder: string;
  /** Of all documents together. Several processes on one folder may exceed it by what they take in at once. */
  readonly maxBytes: number;
  /** What was not analysed within this time after its download is waited for by nobody. */
  readonly abandonedAfterMs: number;
}

const FULL_MS = 60_000;

/**
 * Documents on disk under the hash of their bytes, each with its analysis beside it once there is one. Where there is no
 * room, analysed ones have to go.
 */
export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  /** Moves wait for each other: two at once would count on the same room. */
  #lastMove: Promise<unknown> = Promise.resolve();

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
  }

  /**
   * Writes down what comes. Once it resolves the document is on disk as a whole; before, nothing of it is.
   * @throws SnoozeError where documents that wait to be analysed leave no room; what `body` throws
   */
  async keep(body: AsyncIterable<Uint8Array>): Promise<KeptDocument> {
    await mkdir(this.#options.folder, { recursive: true });
    const part = this.#newPart();
    try {
      const document = await writeSynced(part, body);
      const moving = this.#lastMove.then(() => this.#moveIn(part, document.sha256));
      this.#lastMove = moving.catch(() => undefined);
      await moving;
      return document;
    } finally {
      await rm(part, { force: true });
    }
  }

  pathOf(sha256: string): string {
    return join(this.#options.folder, `${sha256}.pdf`);
  }

  /** @throws Error where it is not here */
  async sizeOf(sha256: string): Promise<number> {
    const found = await stat(this.pathOf(sha256)).catch(() => undefined);
    if (found) return found.size;
    throw new Error(
      'the document is not on this disk: it was removed, or fetched on another machine',
    );
  }

  /** What was found before; undefined where nothing was. */
  async analysisOf(sha256: string): Promise<Analysis | undefined> {
    return readAnalysis(await readFile(this.#analysisPath(sha256), 'utf8').catch(() => ''));
  }

  /** Remembers what was found, or that nothing can be. From now on the document may go when room is needed. */
  async finish(sha256: string, analysis?: Analysis): Promise<void> {
    const part = this.#newPart();
    await writeFile(part, writeAnalysis(analysis));
    await rename(part, this.#analysisPath(sha256));
  }

  /** Removes what processes left behind that were killed while they wrote. */
  removeLeftovers(): Promise<void> {
    return removeLeftovers(this.#options.folder, Date.now());
  }

  #newPart(): string {
    return join(this.#options.folder, `${randomUUID()}${PART}`);
  }

  #analysisPath(sha256: string): string {
    return join(this.#options.folder, `${sha256}.json`);
  }

  /** The file that is moved is in the folder already, and is counted there. */
  async #moveIn(part: string, sha256: string): Promise<void> {
    const { folder, maxBytes, abandonedAfterMs } = this.#options;
    const files = await listKept(folder, Date.now() - abandonedAfterMs);
    // A document of these very bytes is replaced: what is on disk may be damaged.
    const others = files.filter(({ name }) => name !== `${sha256}.pdf`);
    const evicted = chooseEvictions(others, maxBytes);
    if (!evicted) {
      // Now, so that the next one does not count it.
      await rm(part, { force: true });
      throw new SnoozeError(FULL_MS, 'no room for another document (DOCUMENT_STORE_MAX_BYTES)');
    }
    for (const { name } of evicted) {
      await rm(join(folder, name), { force: true });
      await rm(join(folder, name.replace(/pdf$/, 'json')), { force: true });
    }
    await rename(part, this.pathOf(sha256));
  }
}
