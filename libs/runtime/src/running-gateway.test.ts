import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notedGateway, noteGateway } from './running-gateway.ts';

it('is what was written down last, if that is an address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warren-noted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  await noteGateway(dataDir, undefined);
  expect(await notedGateway(dataDir)).toBeUndefined();
  await noteGateway(dataDir, 'http://[::1]:3000');
  expect(await notedGateway(dataDir)).toBe('http://[::1]:3000');
  await writeFile(join(dataDir, 'gateway-url'), 'http://a; rm -r b');
  expect(await notedGateway(dataDir)).toBeUndefined();
  await noteGateway(dataDir, undefined);
  expect(await notedGateway(dataDir)).toBeUndefined();
});
