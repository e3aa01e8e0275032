import { expect, it } from 'vitest';
import { missingBrowser } from './screenshots.ts';

it('says what to install where there is no browser', () => {
  expect(missingBrowser('/nowhere/chromium')).toBe(
    'screenshots need /nowhere/chromium: apt-get install chromium fonts-liberation',
  );
  expect(missingBrowser(process.execPath)).toBeUndefined();
});
