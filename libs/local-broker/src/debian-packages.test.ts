import { expect, it } from 'vitest';
import { mayInstallPackages } from './debian-packages.ts';

it('nothing is installed by an ordinary user', async () => {
  expect(await mayInstallPackages({}, 1000)).toBe(false);
});

it('nothing is installed when WARREN_INSTALL is 0', async () => {
  expect(await mayInstallPackages({ WARREN_INSTALL: '0' }, 0)).toBe(false);
});
