import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WITHIN_MS = 300_000;

/** The paths of the two programs. */
export interface PrometheusTools {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Where `fetchPrometheusTools` puts them, for all clones of this user. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'warren', 'prometheus');

/** Prometheus and promtool from PATH or from the cache; `undefined` where one is missing. */
export function prometheusTools(env: NodeJS.ProcessEnv = process.env): PrometheusTools | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), cacheFolder(env)];
  const prometheus = firstExecutable(folders, 'prometheus');
  const promtool = firstExecutable(folders, 'promtool');
  return prometheus && promtool ? { prometheus, promtool } : undefined;
}

function firstExecutable(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes the programs out of Debian's package into the cache. The package is not installed: that would start a daemon.
 * Rejects with what apt-get or dpkg-deb said.
 */
export async function fetchPrometheusTools(): Promise<void> {
  const target = cacheFolder();
  await mkdir(join(target, '..'), { recursive: true });
  const work = await mkdtemp(`${target}-`);
  try {
    await download(work).catch(async () => {
      await run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', 'update'], {
        timeout: WITHIN_MS,
      });
      await download(work);
    });
    const [deb = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'));
    const unpacked = join(work, 'unpacked');
    await run('dpkg-deb', ['--extract', join(work, deb), unpacked], { timeout: WITHIN_MS });
    await rm(target, { recursive: true, force: true });
    await rename(join(unpacked, 'usr/bin'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** As root apt-get insists on a folder that its own user can write to, unless told not to become that user. */
const download = (cwd: string) =>
  run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', 'prometheus'], {
    cwd,
    timeout: WITHIN_MS,
  });
