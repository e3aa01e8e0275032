import { mkdir, open, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { LetterRunRecord, LetterRuns, NewLetterRun } from '@warren/store';
import { foldLedger, type LedgerLine, readLedgerLines } from '../domain/ledger-lines.ts';

const ENDING = '.ndjson';
const ID = /^[\w-]{1,64}$/;

/**
 * The ledger where there is no database: a file of lines of JSON for each run, each line on the disk before what it tells of
 * is acted on. Files stay until somebody deletes them.
 */
export class FileLedger implements Omit<LetterRuns, 'askToStop'> {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'ledger');
  }

  /** Of a run's file. */
  pathOf(id: string): string {
    return join(this.#folder, `${id}${ENDING}`);
  }

  async begin(run: NewLetterRun): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await this.#append(run.id, { is: 'begun', run });
  }

  async fix(id: string, parts: readonly Buffer[]): Promise<void> {
    await this.#append(
      id,
      { is: 'choosing' },
      ...parts.map((keys): LedgerLine => ({ is: 'chosen', keys: keys.toString('base64') })),
      { is: 'fixed' },
    );
  }

  async resume(id: string): Promise<boolean> {
    if (!(await this.find(id))) return false;
    // The last line may have been cut off.
    await this.#write(id, '\n');
    await this.#append(id, { is: 'resumed' });
    return true;
  }

  /** All at once: the file is read as a whole. */
  async keys(id: string, { afterSeq }: { afterSeq: number }) {
    const { parts } = foldLedger(await this.#lines(id));
    return parts.filter(({ seq }) => seq > afterSeq);
  }

  addDone(id: string, keys: Buffer): Promise<void> {
    return this.#append(id, { is: 'done', keys: keys.toString('base64') });
  }

  passCanary(id: string): Promise<void> {
    return this.#append(id, { is: 'canary-passed' });
  }

  /** Nobody can ask for an end here. */
  async beat(id: string): Promise<boolean> {
    const now = new Date();
    await utimes(this.pathOf(id), now, now);
    return false;
  }

  /** Nobody else looks here while it is under way. */
  async tellWaiting(): Promise<void> {}

  end(id: string, { problem, report }: { problem?: string | undefined; report: unknown }) {
    return this.#append(id, { is: 'ended', problem, report });
  }

  async find(id: string): Promise<LetterRunRecord | undefined> {
    if (!ID.test(id)) return undefined;
    try {
      const { mtimeMs } = await stat(this.pathOf(id));
      return foldLedger(await this.#lines(id)).recordAt(mtimeMs, Date.now());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Ids begin with the time: a cursor is the last one. */
  async list({ limit, cursor }: { limit: number; cursor?: string | undefined }) {
    const ids = (await this.#ids()).filter((id) => cursor === undefined || id < cursor);
    const shown = ids.slice(0, limit);
    const found = await Promise.all(shown.map((id) => this.find(id)));
    const items = found.filter((run) => run !== undefined);
    return { items, cursor: ids.length > limit ? shown.at(-1) : undefined };
  }

  async #ids(): Promise<string[]> {
    const files = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = files.filter((file) => file.endsWith(ENDING));
    return ids.map((file) => file.slice(0, -ENDING.length)).sort((a, b) => (a < b ? 1 : -1));
  }

  async #lines(id: string): Promise<readonly LedgerLine[]> {
    return readLedgerLines(await readFile(this.pathOf(id), 'utf8'));
  }

  async #append(id: string, ...lines: readonly LedgerLine[]): Promise<void> {
    const atMs = Date.now();
    await this.#write(id, lines.map((line) => `${JSON.stringify({ atMs, ...line })}\n`).join(''));
  }

  async #write(id: string, text: string): Promise<void> {
    const file = await open(this.pathOf(id), 'a');
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
