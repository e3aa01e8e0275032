import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreUnavailableError } from '@warren/contracts';

const ATTEMPTS = 3;

/**
 * Keeps other processes out of a folder: two that write to one embedded database destroy it. The file beside it names
 * the process; one that is dead is passed over.
 * @returns how to give it free
 * @throws StoreUnavailableError naming the process that has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = `${folder}.lock`;
  await mkdir(dirname(folder), { recursive: true });
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    if (await create(file)) return () => rm(file, { force: true });
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isAlive(holder)) {
      throw new StoreUnavailableError(
        `${folder} is in use by the process with id ${holder}; several processes need PostgreSQL (DATABASE_URL)`,
      );
    }
    await rm(file, { force: true });
  }
  throw new StoreUnavailableError(`${file} cannot be taken`);
}

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
