import { resolve } from 'node:path';
import { StoreUnavailableError } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import type { Database, HeldLock, Sql, SqlValue } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import type { EmbeddedDriver } from './load-driver.ts';
import { loadDriver } from './load-driver.ts';
import { storeError } from './unavailable.ts';

export interface EmbeddedOptions {
  /** Made if it does not exist. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Start from a copy of another folder: what its `dumpDataDir` gave. Only for a folder that does not exist. */
  readonly snapshot?: Blob | undefined;
}

interface Shared {
  readonly driver: Promise<EmbeddedDriver>;
  readonly locks: Set<string>;
  users: number;
}

/** One folder is opened once in a process; all users share it. */
const folders = new Map<string, Shared>();

/** PGlite: PostgreSQL in this process, kept in a folder. Opened at the first statement. */
export function openEmbedded(options: EmbeddedOptions): Database {
  const folder = resolve(options.dataDir);
  let shared: Shared | undefined;
  let isClosed = false;
  const held = new Set<HeldLock>();
  const driver = () => {
    if (isClosed) throw new StoreUnavailableError('it is closed');
    shared ??= share(folder, options);
    const used = shared;
    return used.driver.catch(async (error: unknown) => {
      // The next use tries again.
      if (shared === used) {
        shared = undefined;
        await leave(folder, used);
      }
      throw error;
    });
  };
  return {
    kind: 'embedded',
    query: (text, values) => guarded(async () => runOn(await driver(), text, values)),
    transaction: (work) =>
      guarded(async () => (await driver()).transaction((tx) => work(sqlOf(tx)))),
    async script(text, sql) {
      const given = sql as (Sql & { exec?: (script: string) => Promise<unknown> }) | undefined;
      await guarded(async () => (given?.exec ?? (await driver()).exec)(text));
    },
    tryLock: async (name) => {
      await guarded(async () => driver());
      const lock = lockIn(shared?.locks ?? new Set(), name);
      if (lock !== undefined) held.add(lock);
      return lock;
    },
    async close() {
      isClosed = true;
      const used = shared;
      shared = undefined;
      for (const lock of held) await lock.release();
      await leave(folder, used);
    },
  };
}

function share(folder: string, options: EmbeddedOptions): Shared {
  const known = folders.get(folder);
  if (known !== undefined) {
    known.users += 1;
    return known;
  }
  const shared = { driver: open(folder, options), locks: new Set<string>(), users: 1 };
  folders.set(folder, shared);
  return shared;
}

async function leave(folder: string, shared: Shared | undefined): Promise<void> {
  if (shared === undefined) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  if (folders.get(folder) === shared) folders.delete(folder);
  await shared.driver.then(
    (driver) => driver.close(),
    () => undefined,
  );
}

async function open(folder: string, options: EmbeddedOptions): Promise<EmbeddedDriver> {
  const unlock = await lockFolder(folder);
  try {
    const driver = await loadDriver(folder, options.snapshot);
    options.logger.info(
      { folder },
      'the store is embedded: for one process, kept on disk but without fsync',
    );
    return { ...driver, close: () => driver.close().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}

type Runner = Pick<EmbeddedDriver, 'query' | 'exec'>;

function sqlOf(runner: Runner): Sql & Pick<EmbeddedDriver, 'exec'> {
  return {
    query: (text, values) => runOn(runner, text, values),
    exec: (script) => runner.exec(script),
  };
}

async function runOn<Row>(runner: Runner, text: string, values: readonly SqlValue[] = []) {
  return (await runner.query(text, values)) as Row[];
}

async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}

function lockIn(locks: Set<string>, name: string): HeldLock | undefined {
  if (locks.has(name)) return undefined;
  locks.add(name);
  let isHeld = true;
  return {
    lost: new AbortController().signal,
    async release() {
      if (isHeld) locks.delete(name);
      isHeld = false;
    },
  };
}
