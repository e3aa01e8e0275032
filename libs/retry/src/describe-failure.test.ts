import { MAX_ERROR_HEADER_BYTES, NonRetryableError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyThrown, thrown } from './arbitraries.fixture.ts';
import { describeFailure } from './describe-failure.ts';

const describeFirst = (error: unknown) => describeFailure(error, undefined, 1);
const linesOf = (text: string) => text.split('\n');

/** The header after each of these errors was thrown in turn. */
const history = (errors: readonly unknown[]) =>
  errors.reduce<string | undefined>(
    (text, error, index) => describeFailure(error, text, index + 1),
    undefined,
  ) ?? '';

function expectSendable(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_ERROR_HEADER_BYTES);
  expect(Buffer.from(text).toString()).toBe(text);
  expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
}

describe('describeFailure', () => {
  it('begins with the attempt, the class and the message, then shows where it was thrown', () => {
    const [first, second] = linesOf(describeFailure(new TypeError('no address'), undefined, 3));
    expect(first).toBe('attempt 3: TypeError: no address');
    expect(second).toMatch(/^ {4}at .*describe-failure\.test\.ts/);
  });

  it('shows codes and causes', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const text = describeFirst(new NonRetryableError('gone', { cause: refused }));
    expect(linesOf(text).slice(0, 2)).toEqual([
      'attempt 1: NonRetryableError [NON_RETRYABLE]: gone',
      '    caused by Error [ECONNREFUSED]: connect',
    ]);
  });

  it('shows the parts of an AggregateError, whose own message may be empty', () => {
    const text = describeFirst(new AggregateError([new Error('v4'), new Error('v6')]));
    expect(text).toContain('caused by Error: v4');
    expect(text).toContain('caused by Error: v6');
  });

  it('shows each cause once, and three at most', () => {
    const causeLines = (error: unknown) =>
      linesOf(describeFirst(error)).filter((line) => line.startsWith('    caused by'));
    const loop = new Error('loop');
    loop.cause = new Error('other', { cause: loop });
    expect(causeLines(loop)).toEqual(['    caused by Error: other']);
    const deep = Array.from({ length: 9 }, (_, n) => n).reduce(
      (cause, n) => new Error(`level ${n}`, { cause }),
      new Error('root'),
    );
    expect(causeLines(deep)).toHaveLength(3);
  });

  it('keeps no more than 200 bytes of an earlier failure', () => {
    const text = history([new Error('é'.repeat(1_000)), new Error('x')]);
    const earlier = linesOf(text).at(-1) ?? '';
    expect(earlier).toMatch(/^attempt 1: Error: é+$/);
    expect(Buffer.byteLength(earlier)).toBeLessThanOrEqual(200);
  });

  it('keeps earlier failures a line each, newest first', () => {
    const text = history([new Error('one\nmore'), 'two', new Error('three')]);
    const starts = linesOf(text).filter((line) => line.startsWith('attempt'));
    expect(starts).toEqual([
      'attempt 3: Error: three',
      "attempt 2: thrown value 'two'",
      'attempt 1: Error: one',
    ]);
    expect(linesOf(text).slice(-2)).toEqual(starts.slice(1));
  });

  it('lets no message pass for an earlier failure', () => {
    const text = history([new Error('x\nattempt 9: Error: forged'), new Error('y')]);
    expect(text).not.toContain('forged');
  });

  it('drops a previous text that it did not write', () => {
    const text = describeFailure(new Error('x'), 'something\nelse', 2);
    expect(text).not.toContain('else');
  });

  it('leaves room for earlier failures beside the longest message', () => {
    const text = history([new Error('first'), new Error('é'.repeat(100_000))]);
    expectSendable(text);
    expect(text).toContain('attempt 1: Error: first');
  });

  it('keeps the newest of a thousand failures', () => {
    const text = history(Array.from({ length: 1_000 }, (_, n) => new Error(`failure ${n + 1}`)));
    expectSendable(text);
    expect(text).toContain('attempt 1000: Error: failure 1000');
    expect(text).toContain('\nattempt 999: Error: failure 999');
    expect(text).not.toContain('failure 1\n');
  });

  it('cuts between characters', () => {
    for (let pad = 0; pad < 4; pad += 1) {
      const stack = `at ${'x'.repeat(pad)}${'🐇'.repeat(3_000)}`;
      const text = describeFirst(Object.assign(new Error('x'), { stack }));
      expectSendable(text);
      expect(text.endsWith('🐇')).toBe(true);
    }
  });

  it('replaces control characters but newline and tab', () => {
    const text = describeFirst(new Error('a\u0000b\u001b[31m\tc\r\nd\u009be'));
    expect(linesOf(text).slice(0, 2)).toEqual(['attempt 1: Error: a?b?[31m\tc', '    d?e']);
  });

  it('replaces lone surrogates', () => {
    expect(describeFirst(new Error('a\ud800b'))).toContain('Error: a\ufffdb');
  });
});

describe('whatever was thrown', () => {
  it.each(nastyThrown)('%s can be described', (_, error) => {
    const text = describeFirst(error);
    expectSendable(text);
    expect(text).toMatch(/^attempt 1: ./);
  });

  it('gives a text that can be sent, after any previous text', () => {
    const previous = fc.option(fc.string({ unit: 'binary', maxLength: 9_000 }), { nil: undefined });
    fc.assert(
      fc.property(thrown, previous, fc.nat(), (error, before, attempt) => {
        const text = describeFailure(error, before, attempt);
        expectSendable(text);
        expect(text.startsWith(`attempt ${attempt}: `)).toBe(true);
      }),
    );
  });
});
