import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { isWhole, type SelectedBy, type Selection, selector } from './selection.ts';

const error = 'attempt 2: SmtpError [EENV]: no such mailbox';
const letter: SelectedBy = {
  id: 'a',
  type: 't',
  reason: 'poison',
  error,
  deadAtMs: 50,
  headers: { tenant: 'acme', tier: 2 },
};

const fits: readonly Selection[] = [
  {},
  { ids: ['b', 'a'] },
  { types: ['t'] },
  { errors: ['SmtpError [EENV]'] },
  { errors: ['TypeError', 'SmtpError'] },
  { errors: ['EENV'] },
  { fingerprints: [fingerprintOf(error).fingerprint] },
  { sinceMs: 50 },
  { untilMs: 51 },
  { headers: { tenant: 'acme' } },
  { headers: { tenant: 'acme', tier: '2' } },
];
const misfits: readonly Selection[] = [
  { ids: [] },
  { ids: ['b'] },
  { types: ['T'] },
  { errors: ['Smtp'] },
  { fingerprints: ['000000000000'] },
  { sinceMs: 51 },
  { untilMs: 50 },
  { headers: { tenant: 'other' } },
  { headers: { tenant: 'acme', region: 'eu' } },
  { headers: { toString: 'acme' } },
];

describe('a selection', () => {
  it('means what fits every field that is given', () => {
    const anyOf = (list: readonly Selection[]) => fc.subarray([...list]);
    const merged = (parts: readonly Selection[]): Selection => Object.assign({}, ...parts);
    fc.assert(
      fc.property(anyOf(fits), fc.constantFrom(...misfits), (parts, misfit) => {
        expect(selector(merged(parts))(letter)).toBe(true);
        expect(selector({ ...merged(parts), ...misfit })(letter)).toBe(false);
      }),
    );
  });

  it('means nothing by what a letter does not say', () => {
    const silent: SelectedBy = {
      id: undefined,
      type: undefined,
      reason: undefined,
      error: undefined,
      deadAtMs: undefined,
      headers: {},
    };
    for (const selection of fits.slice(1)) expect(selector(selection)(silent)).toBe(false);
    expect(selector()(silent)).toBe(true);
  });

  it('is of all when nothing is given', () => {
    expect([isWhole(), isWhole({}), isWhole({ ids: undefined })]).toEqual([true, true, true]);
    expect([isWhole({ ids: [] }), isWhole({ sinceMs: 0 })]).toEqual([false, false]);
  });
});
