import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailableError } from '@warren/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderHolder, lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'warren-lock-')), 'deep', 'store');
});
afterEach(() => rm(join(folder, '..', '..'), { recursive: true }));

it('names the process that has the folder, until it gives it free', async () => {
  const unlock = await lockFolder(folder);
  expect(await readFile(`${folder}.lock`, 'utf8')).toBe(`${process.pid}`);
  await unlock();
  await expect(readFile(`${folder}.lock`)).rejects.toThrow('ENOENT');
  expect(await folderHolder(folder)).toBeUndefined();
  await writeFile(`${folder}.lock`, `${process.ppid}`);
  expect(await folderHolder(folder)).toBe(process.ppid);
  const refused = lockFolder(folder);
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toMatchObject({ folder, holder: process.ppid });
  await expect(refused).rejects.toThrow(`in use by the process with id ${process.ppid}`);
});

it.each(['', 'no number', '999999999', `${process.pid}`])(
  'passes over a file that says %j: nobody who lives',
  async (content) => {
    await (await lockFolder(folder))();
    await writeFile(`${folder}.lock`, content);
    await (await lockFolder(folder))();
  },
);
