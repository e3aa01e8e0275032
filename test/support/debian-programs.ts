import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WITHIN_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `fetchPrograms` puts those of a Debian package, for all clones of this user. */
export const cacheFolder = (debianPackage: string, env: Environment = process.env): string =>
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'warren', debianPackage);

/** The first program of these names on PATH, else in the cache of its package. */
export function findProgram(
  names: readonly string[],
  debianPackage: string,
  env: Environment = process.env,
): string | undefined {
  const onPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...onPath, cacheFolder(debianPackage, env)]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A Debian package whose programs are wanted without the daemon that installing it would start. */
export interface ProgramPackage {
  readonly name: string;
  /** A folder of its own without which they do not run: it is put where they look for it. */
  readonly data?: string;
}

/** Takes the programs out of a Debian package into the cache. Rejects with what apt-get or dpkg-deb said. */
export async function fetchPrograms({ name, data }: ProgramPackage): Promise<void> {
  const target = cacheFolder(name);
  await mkdir(join(target, '..'), { recursive: true });
  const work = await mkdtemp(`${target}-`);
  try {
    await download(name, work).catch(async () => {
      await run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', 'update'], {
        timeout: WITHIN_MS,
      });
      await download(name, work);
    });
    const [deb = ''] = (await readdir(work)).filter((file) => file.endsWith('.deb'));
    const unpacked = join(work, 'unpacked');
    await run('dpkg-deb', ['--extract', join(work, deb), unpacked], { timeout: WITHIN_MS });
    if (data) await cp(join(unpacked, data), data, { recursive: true });
    await rm(target, { recursive: true, force: true });
    await rename(join(unpacked, 'usr/bin'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** As root apt-get insists on a folder that its own user can write to, unless told not to become that user. */
const download = (debianPackage: string, cwd: string) =>
  run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', debianPackage], {
    cwd,
    timeout: WITHIN_MS,
  });
