import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { checkBulk } from './bulk-options.ts';
import type { Many } from './item-source.ts';

function refused(bulk: unknown, items: unknown = [], known = ['window', 'options']): string {
  try {
    checkBulk(items as Many<unknown>, bulk as object, known as ['window']);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error.setting;
    throw error;
  }
  return 'nothing';
}

describe('checkBulk', () => {
  it.each([
    ['window', 0],
    ['window', -1],
    ['window', 1.5],
    ['window', 100_001],
    ['window', '10'],
    ['window', null],
    ['window', Number.NaN],
    ['options', {}],
    ['options', null],
    ['windw', 10],
  ])('names %s: %j', (name, value) => {
    expect(refused({ [name]: value })).toBe(name);
  });

  it('names options where each item carries its own', () => {
    expect(refused({ options: () => undefined }, [], ['window'])).toBe('options');
  });

  it.each([undefined, null, 'text', 7, {}])('names items: %j', (items) => {
    expect(refused({}, items ?? null)).toBe('items');
  });

  it('gives the window, 1,000 by default', () => {
    async function* later() {}
    expect(checkBulk([], {}, ['window'])).toBe(1_000);
    expect(checkBulk(new Set(), { window: 1 }, ['window'])).toBe(1);
    expect(checkBulk(later(), { window: 100_000 }, ['window'])).toBe(100_000);
    expect(checkBulk([], { window: undefined, options: undefined }, ['window', 'options'])).toBe(
      1_000,
    );
  });
});
