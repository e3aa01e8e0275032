import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from './error-codes.ts';
import {
  ConfigInvalidError,
  PayloadInvalidError,
  UnknownJobTypeError,
  WarrenError,
} from './errors.ts';
import { RetryAfterError } from './run-errors.ts';

describe('errors', () => {
  it('carry their class as name, a code of the table and the cause', () => {
    const cause = new Error('x');
    const error = new RetryAfterError(5, 'later', { cause });
    expect(error).toBeInstanceOf(WarrenError);
    expect(error).toMatchObject({
      name: 'RetryAfterError',
      code: 'RETRY_AFTER',
      delayMs: 5,
      cause,
    });
    expect(ERROR_CODES).toHaveProperty(error.code);
  });

  it('name the setting', () => {
    expect(new ConfigInvalidError('PORT', 'expected a number')).toMatchObject({
      message: 'PORT: expected a number',
      setting: 'PORT',
    });
  });

  it('list five issues at most, and keep all', () => {
    const issues = Array.from({ length: 9 }, (_, n) => ({ path: `f${n}`, message: 'no' }));
    const error = new PayloadInvalidError('a.b', issues);
    expect(error.message).toBe('a.b: f0: no; f1: no; f2: no; f3: no; f4: no');
    expect(error.issues).toHaveLength(9);
  });

  it('keep their messages bounded', () => {
    const known = Array.from({ length: 1_000 }, (_, n) => `type.${n}`);
    expect(new UnknownJobTypeError('x'.repeat(10_000), known).message.length).toBeLessThan(500);
    expect(new UnknownJobTypeError('a.b', []).message).toContain('none is known');
  });

  it('name a job type that is no text', () => {
    const odd = [undefined, null, 7, { a: 1 }] as unknown as string[];
    expect(odd.map((type) => new UnknownJobTypeError(type, []).code)).toEqual(
      odd.map(() => 'UNKNOWN_JOB_TYPE'),
    );
  });
});
