import { mkdir, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';

/** Ends a profile and writes it. */
export type EndProfile = () => Promise<void>;

/** How often it looks what is running. */
const INTERVAL_US = 200;

/** Records what this process spends its time with, into a file that Chrome's and Node's tools open. */
export async function startProfile(path: string): Promise<EndProfile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(profile));
  };
}
