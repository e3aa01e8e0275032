import { NonRetryableError } from '@warren/contracts';
import { describeFailure } from '@warren/retry';
import { createLogger } from '@warren/telemetry';
import { describe, expect, it } from 'vitest';
import { redactedError } from './redacted-error.ts';

const redact = (text: string) =>
  text.replaceAll('ada@example.org', '[redacted]').replaceAll('4711', '[redacted]');

/** All that can be said of it. */
function told(error: unknown): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ service: 't', level: 'info', destination }).error({ err: error }, 'failed');
  return `${lines.join('')}${describeFailure(error, undefined, 1)}`;
}

describe('redactedError', () => {
  it('hides a value wherever an error may have it, and says the rest', () => {
    const error = Object.assign(
      new NonRetryableError('no mailbox ada@example.org', {
        cause: new TypeError('550 ada@example.org', { cause: 'for ada@example.org' }),
      }),
      { recipient: 'ada@example.org', account: 4711, tries: 3, request: { to: 'ada@example.org' } },
    );
    const text = told(redactedError(error, redact));
    expect(text).not.toMatch(/ada@|4711/);
    for (const kept of [
      'no mailbox [redacted]',
      '550 [redacted]',
      '"tries":3',
      'redacted-error.test',
    ]) {
      expect(text).toContain(kept);
    }
  });

  it('stays of its class, and leaves the original as it was', () => {
    const error = new NonRetryableError('to ada@example.org');
    const copy = redactedError(error, redact);
    expect(copy).toBeInstanceOf(NonRetryableError);
    expect(copy).toMatchObject({ name: 'NonRetryableError', code: error.code });
    expect(error.message).toContain('ada@');
  });

  it('hides in each part of an AggregateError', () => {
    const error = new AggregateError(
      [new Error('1 ada@example.org'), 'ada@example.org'],
      'all failed',
    );
    expect(told(redactedError(error, redact))).not.toContain('ada@');
  });

  it('hides before anything is cut', () => {
    const long = 'x'.repeat(5_000);
    const hide = (text: string) => text.replaceAll(long, '[redacted]');
    expect(told(redactedError(new Error(`not sent: ${long}`), hide))).not.toContain('xxx');
  });

  it.each([
    ['a text', 'ada@example.org', '[redacted]'],
    ['an object', { to: ['ada@example.org', 4711, 1] }, { to: ['[redacted]', '[redacted]', 1] }],
    ['nothing', undefined, undefined],
  ])('takes %s', (_, thrown, shown) => {
    expect(redactedError(thrown, redact)).toEqual(shown);
  });

  it('ends for errors that are their own cause, and for those that cannot be read', () => {
    const own = new Error('ada@example.org');
    own.cause = own;
    expect(told(redactedError(own, redact))).not.toContain('ada@');
    const trap = Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('ada@example.org');
      },
    });
    expect(told(redactedError(trap, redact))).toContain('cannot be read');
  });
});
