import { describe, expect, it } from 'vitest';
import { isAtLeast } from './server-version.ts';

describe('isAtLeast', () => {
  it.each([
    ['4.3.0', true],
    ['4.3.6', true],
    ['4.3.0-rc.1', true],
    ['4.3', true],
    ['4.10.0', true],
    ['5.0.0', true],
    ['10.0.1', true],
    ['4.2.9', false],
    ['3.10.8', false],
    ['3.13.7', false],
    ['0.9', false],
  ])('%s is at least 4.3: %s', (version, expected) => {
    expect(isAtLeast(version, 4, 3)).toBe(expected);
  });

  it.each([undefined, '', 'unknown', 'v4.3.0', '4'])('takes %j for an old one', (version) => {
    expect(isAtLeast(version, 3, 0)).toBe(false);
  });
});
