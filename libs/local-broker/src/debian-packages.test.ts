import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installPackages, mayInstallPackages } from './debian-packages.ts';

it('nothing is installed by an ordinary user', async () => {
  expect(await mayInstallPackages({}, 1000)).toBe(false);
});

it('nothing is installed when WARREN_INSTALL is 0', async () => {
  expect(await mayInstallPackages({ WARREN_INSTALL: '0' }, 0)).toBe(false);
});

/** Puts a program of this name before the real one. */
async function standIn(name: string, script: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-apt-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

it('says why nothing could be installed: what apt-get said last, of the update too', async () => {
  await standIn(
    'apt-get',
    `case "$*" in
       *update*) echo "Err: no network" >&2; echo "E: Failed to fetch http://deb" >&2; exit 100;;
       *) echo "E: Unable to locate package $(echo "$*" | sed 's/.* //')" >&2; exit 100;;
     esac`,
  );
  const failed = await installPackages(['rabbitmq-server']).catch((error: Error) => error.message);
  expect(String(failed).split('\n')).toEqual([
    expect.stringMatching(/^apt-get .* update: Err: no network$/),
    'E: Failed to fetch http://deb',
    expect.stringMatching(/^apt-get .*: E: Unable to locate package rabbitmq-server$/),
  ]);
});

it('does not mind a list that could not be renewed if the package can be had', async () => {
  await standIn('apt-get', 'case "$*" in *update*) exit 100;; *) exit 0;; esac');
  await expect(installPackages(['rabbitmq-server'])).resolves.toBeUndefined();
});
