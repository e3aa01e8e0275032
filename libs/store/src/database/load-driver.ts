import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SqlValue } from './database.ts';

/** What is used of PGlite. */
export interface EmbeddedDriver {
  query(text: string, values: readonly SqlValue[]): Promise<unknown[]>;
  exec(script: string): Promise<unknown>;
  transaction<Result>(
    work: (tx: Pick<EmbeddedDriver, 'query' | 'exec'>) => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}

const OID_INT8 = 20;
const OID_BYTEA = 17;

const parsers = {
  [OID_INT8]: Number,
  [OID_BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex'),
};

/** Loaded only where it is used: it is large, and PostgreSQL needs none of it. */
export async function loadDriver(folder: string, snapshot?: Blob): Promise<EmbeddedDriver> {
  const { PGlite } = await import('@electric-sql/pglite');
  await mkdir(dirname(folder), { recursive: true });
  const database = await openOrMake(folder, (isNew) =>
    PGlite.create({
      dataDir: folder,
      parsers,
      ...(snapshot !== undefined && isNew ? { loadDataDir: snapshot } : {}),
    }),
  );
  return {
    query: async (text, values) => (await database.query(text, [...values])).rows,
    exec: (script) => database.exec(script),
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query: async (text, values) => (await tx.query(text, [...values])).rows,
          exec: (script) => tx.exec(script),
        }),
      ),
    close: () => database.close(),
  };
}

/** A mark tells of a folder whose making was cut short: nothing was ever kept in it, so it is made anew. */
async function openOrMake<Result>(
  folder: string,
  open: (isNew: boolean) => Promise<Result>,
): Promise<Result> {
  const mark = `${folder}.making`;
  if (existsSync(mark)) await rm(folder, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return open(false);
  await writeFile(mark, '');
  const made = await open(true);
  await rm(mark, { force: true });
  return made;
}
