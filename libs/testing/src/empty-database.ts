import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

let made: Promise<Blob> | undefined;

/** An embedded database with nothing in it, to start from: making one takes seconds, so it is kept between test runs. */
export function emptyDatabase(): Promise<Blob> {
  made ??= loadOrMake();
  return made;
}

async function loadOrMake(): Promise<Blob> {
  const file = fileURLToPath(
    new URL(`../../../node_modules/.cache/pglite-${versionOfPglite()}.tar`, import.meta.url),
  );
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return new Blob([kept]);
  const fresh = await make();
  // Where nothing may be written there, the next run makes its own.
  await keep(file, fresh).catch(() => undefined);
  return fresh;
}

async function make(): Promise<Blob> {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create();
  try {
    return await database.dumpDataDir('none');
  } finally {
    await database.close();
  }
}

/** Others may do the same at the same time: each writes a file of its own and puts it in place whole. */
async function keep(file: string, content: Blob): Promise<void> {
  const own = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(own, Buffer.from(await content.arrayBuffer()));
  await rename(own, file);
}

function versionOfPglite(): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = createRequire(import.meta.url)(`${dirname(dirname(main))}/package.json`) as {
    version: string;
  };
  return version;
}
