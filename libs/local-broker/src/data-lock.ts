import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './process-group.ts';

const lockFile = (dataDir: string): string => join(dataDir, 'owner.pid');

/** Throws when a running node uses this data folder: two on the same data would destroy it. */
export async function refuseDataInUse(dataDir: string): Promise<void> {
  const file = lockFile(dataDir);
  if (!existsSync(file)) return;
  const pid = Number(await readFile(file, 'utf8'));
  if (pid > 0 && (await isNodeOf(pid, dataDir))) {
    throw new Error(`dataDir ${dataDir} is in use by a running RabbitMQ node (process ${pid})`);
  }
}

/** Process ids are given out again, so the process must also name the folder. */
async function isNodeOf(pid: number, dataDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const environment = `/proc/${pid}/environ`;
  if (!existsSync(environment)) return true;
  const name = join(dataDir, 'rabbitmq.conf');
  const values = (await readFile(environment, 'latin1')).split('\0');
  return values.some((value) => {
    const [key, path] = value.split('=');
    return key === 'RABBITMQ_CONFIG_FILE' && path !== undefined && name.endsWith(path);
  });
}

/** Notes which process group uses the data folder. */
export async function noteDataInUse(dataDir: string, pid: number): Promise<void> {
  await writeFile(lockFile(dataDir), String(pid));
}

/** Takes the note back once the node is gone. */
export async function releaseData(dataDir: string): Promise<void> {
  await rm(lockFile(dataDir), { force: true });
}
