import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactPayload, redactTexts } from './redact.ts';

describe('redactPayload', () => {
  it.each<[string, unknown, string[], unknown]>([
    ['a field', { a: 1, b: 2 }, ['a'], { a: REDACTED, b: 2 }],
    ['a nested field', { a: { b: 1, c: 2 } }, ['a.b'], { a: { b: REDACTED, c: 2 } }],
    [
      'each element',
      { a: [{ b: 1 }, { b: 2, c: 3 }] },
      ['a.*.b'],
      { a: [{ b: REDACTED }, { b: REDACTED, c: 3 }] },
    ],
    ['each value', { x: 1, y: 2 }, ['*'], { x: REDACTED, y: REDACTED }],
    ['the whole payload', { a: 1 }, [''], REDACTED],
    ['null', { a: null }, ['a'], { a: REDACTED }],
    ['a key with a dot', { 'a.b': 1, c: 2 }, ['a.b'], { 'a.b': REDACTED, c: 2 }],
    ['a key with a dot, nested', { c: { 'a.b': 1 } }, ['c.a.b'], { c: { 'a.b': REDACTED } }],
    [
      'both readings of a path',
      { 'a.b': 1, a: { b: 2 } },
      ['a.b'],
      { 'a.b': REDACTED, a: { b: REDACTED } },
    ],
  ])('replaces %s', (_, payload, paths, expected) => {
    expect(redactPayload(payload, paths)).toEqual(expected);
  });

  it('leaves out what is absent', () => {
    expect(redactPayload({ b: 1 }, ['a', 'b.c', 'toString'])).toEqual({ b: 1 });
    expect(redactPayload(undefined, [''])).toBeUndefined();
  });

  it('leaves the payload itself as it was', () => {
    const payload = Object.freeze({ a: Object.freeze({ b: 1 }) });
    redactPayload(payload, ['a.b']);
    expect(payload).toEqual({ a: { b: 1 } });
  });

  it('redacts as a whole what cannot be read', () => {
    const trap = {
      get a() {
        throw new Error('trap');
      },
    };
    expect(redactPayload(trap, ['a'])).toBe(REDACTED);
  });

  it('never throws and never leaves a marked value', () => {
    const path = fc.constantFrom('a', 'a.b', '*', 'a.*', '*.b', '');
    fc.assert(
      fc.property(fc.anything(), fc.array(path), (secretless, paths) => {
        const redacted = redactPayload({ a: { b: 'secret' }, rest: secretless }, [...paths, 'a.b']);
        expect(JSON.stringify((redacted as { a?: unknown }).a ?? '')).not.toContain('secret');
      }),
    );
  });
});

describe('redactTexts', () => {
  it('passes every text, number and name through, wherever it stands, and leaves the rest as it is', () => {
    const redact = (text: string) => text.replace(/ada|4711/g, REDACTED);
    const value = { ada: ['to ada', 4711, 14711, 8], deep: { on: true, none: null }, n: 1 };
    expect(redactTexts(value, redact)).toEqual({
      [REDACTED]: [`to ${REDACTED}`, REDACTED, `1${REDACTED}`, 8],
      deep: { on: true, none: null },
      n: 1,
    });
    expect(redactTexts(value, (text) => text)).toEqual(value);
  });
});
