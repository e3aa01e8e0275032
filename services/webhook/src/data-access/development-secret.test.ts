import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { developmentSecret } from './development-secret.ts';

it('is made once, for its user only, and is the same from then on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warren-webhook-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'data', 'webhook-secret');
  const [first, again] = await Promise.all([developmentSecret(path), developmentSecret(path)]);
  expect(again).toEqual(first);
  expect(first.get('default')?.[0]).toHaveLength(32);
  expect(await readFile(path, 'utf8')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, 'nothing');
  await expect(developmentSecret(path)).rejects.toThrow('is not written as');
});
