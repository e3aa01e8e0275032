import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigInvalidError } from './errors.ts';
import { checkEventPattern } from './event-pattern.ts';

const isTaken = (pattern: unknown): boolean => {
  try {
    checkEventPattern(pattern);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigInvalidError);
    expect(error).toMatchObject({ setting: 'pattern' });
    return false;
  }
};

describe('checkEventPattern', () => {
  it.each([
    'order.placed',
    'order.*',
    'order.#',
    '#',
    '*',
    '*.*',
    '#.failed.#',
    '*.placed',
    'order.2.a_b-c',
    'x'.repeat(200),
  ])('takes %s', (pattern) => {
    expect(isTaken(pattern)).toBe(true);
  });

  it.each([
    '',
    '.',
    'order.',
    '.order',
    'order..placed',
    'order.pla*',
    'order.##',
    'order.#x',
    'Order.placed',
    'order placed',
    'order.plaćed',
    'order.placed\n',
    '#.#.#',
    '#.a.#.b.#',
    'x'.repeat(201),
    undefined,
    null,
    7,
    7n,
    {},
    ['order.#'],
  ])('refuses %s', (pattern) => {
    expect(isTaken(pattern)).toBe(false);
  });

  it('either takes a value or names the setting, and takes what words, * and # make up', () => {
    const word = fc.oneof(fc.stringMatching(/^[a-z0-9_-]{1,8}$/), fc.constantFrom('*', '#'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const hashes = words.filter((one) => one === '#').length;
        expect(isTaken(words.join('.'))).toBe(hashes <= 2);
      }),
    );
    fc.assert(fc.property(fc.anything(), (value) => void isTaken(value)));
  });
});
