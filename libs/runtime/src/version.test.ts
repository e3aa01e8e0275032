import { expect, test } from 'vitest';
import { WARREN_VERSION } from './version.ts';

test('is the version of the package', () => {
  expect(WARREN_VERSION).toMatch(/^\d+\.\d+\.\d+/);
});
