import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PayloadInvalidError } from './errors.ts';

import { resolvePayload, type Upgrade } from './payload-definition.ts';
import { upgradePayload } from './upgrade.ts';

const schema = z.unknown();

function defined(steps: readonly Upgrade[]) {
  return resolvePayload({
    type: 'order.placed',
    schema,
    version: steps.length + 1,
    upgrade: Object.fromEntries(steps.map((step, index) => [index + 1, step])),
  });
}

describe('upgradePayload', () => {
  it('takes every step from the version it came with, in order, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(40), (version, seed) => {
        const from = 1 + (seed % version);
        const note: Upgrade[] = Array.from({ length: version - 1 }, (_, index) => (taken) => [
          ...(taken as number[]),
          index + 1,
        ]);
        const expected = Array.from({ length: version - from }, (_, index) => from + index);
        expect(upgradePayload(defined(note), [], from)).toEqual(expected);
      }),
    );
  });

  it('leaves a payload of this version, or of a newer one, as it is', () => {
    const step = vi.fn();
    const payload = {};
    expect(upgradePayload(defined([step]), payload, 2)).toBe(payload);
    expect(upgradePayload(defined([step]), payload, 3)).toBe(payload);
    expect(step).not.toHaveBeenCalled();
  });

  it.each<[string, Upgrade, string]>([
    [
      'throws',
      () => {
        throw new Error('no name');
      },
      'no name',
    ],
    ['throws what is no error', () => AbortSignal.abort('a text').throwIfAborted(), 'no error'],
    ['gives a promise', async () => ({}), 'must answer at once'],
    ['gives a promise that fails', () => Promise.reject(new Error('late')), 'must answer at once'],
  ])('says which step it was that %s', (_, step, message) => {
    const upgrade = () => upgradePayload(defined([(payload) => payload, step]), {}, 1);
    expect(upgrade).toThrow(PayloadInvalidError);
    expect(upgrade).toThrow(/^order\.placed: payload: upgrade from version 2 failed: /);
    expect(upgrade).toThrow(message);
  });
});
