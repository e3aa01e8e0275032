import { StoreUnavailableError } from '@warren/contracts';
import type pg from 'pg';
import type { HeldLock } from './database.ts';
import { storeError } from './unavailable.ts';

/** A server that vanished without a word is noticed by asking. */
const ASK_EVERY_MS = 5_000;

/** Advisory locks, each on a connection of its own: the server frees it when the connection ends. */
export class SessionLocks {
  readonly #pool: pg.Pool;
  readonly #held = new Set<() => void>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async tryLock(name: string): Promise<HeldLock | undefined> {
    const client = await this.#pool.connect();
    try {
      const { rows } = await client.query<{ held: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1::text, 0)) AS held',
        [name],
      );
      if (rows[0]?.held === true) return this.#hold(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    return undefined;
  }

  releaseAll(): void {
    for (const release of this.#held) release();
  }

  #hold(client: pg.PoolClient): HeldLock {
    const lost = new AbortController();
    const lose = (error: unknown) => {
      if (this.#held.has(release)) lost.abort(storeError(error));
    };
    const asking = setInterval(() => void client.query('SELECT 1').catch(lose), ASK_EVERY_MS);
    asking.unref();
    client.on('error', lose);
    client.on('end', () => lose(new StoreUnavailableError('the connection of a lock ended')));
    const release = () => {
      clearInterval(asking);
      // Closing the connection frees the lock, whatever state it is in.
      if (this.#held.delete(release)) client.release(true);
    };
    this.#held.add(release);
    return { lost: lost.signal, release: () => this.#free(client, release) };
  }

  /** Asked for, so that it is free when this resolves: a server sees only later that a connection was closed. */
  async #free(client: pg.PoolClient, release: () => void): Promise<void> {
    if (!this.#held.has(release)) return;
    await client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    release();
  }
}
