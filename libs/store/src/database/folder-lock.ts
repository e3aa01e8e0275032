import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreUnavailableError } from '@warren/contracts';

const ATTEMPTS = 3;

/** Another process has the folder of an embedded store. */
export class StoreInUseError extends StoreUnavailableError {
  readonly folder: string;
  /** Its process id. */
  readonly holder: number;

  constructor(folder: string, holder: number) {
    super(
      `${folder} is in use by the process with id ${holder}: stop it first; several processes at once need PostgreSQL (DATABASE_URL)`,
    );
    this.folder = folder;
    this.holder = holder;
  }
}

/**
 * Keeps other processes out of a folder: two that write to one embedded database destroy it. The file beside it names
 * the process; one that is dead is passed over.
 * @returns how to give it free
 * @throws StoreInUseError naming the process that has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = lockOf(folder);
  await mkdir(dirname(folder), { recursive: true });
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    if (await create(file)) return () => rm(file, { force: true });
    const holder = await folderHolder(folder);
    if (holder !== undefined) throw new StoreInUseError(folder, holder);
    await rm(file, { force: true });
  }
  throw new StoreUnavailableError(`${file} cannot be taken`);
}

/** The process that has a folder, other than this one; undefined where none that lives has it. */
export async function folderHolder(folder: string): Promise<number | undefined> {
  const holder = Number(await readFile(lockOf(folder), 'utf8').catch(() => ''));
  return isAlive(holder) ? holder : undefined;
}

const lockOf = (folder: string): string => `${folder}.lock`;

async function create(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid)).finally(() => handle.close());
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  // The same number after a restart of a container is this process itself.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
