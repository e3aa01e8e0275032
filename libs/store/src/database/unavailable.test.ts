import { StoreTooNewError, StoreUnavailableError } from '@warren/contracts';
import { expect, it } from 'vitest';
import { storeError } from './unavailable.ts';

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });

it.each([
  failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  failure('terminating connection due to administrator command', '57P01'),
  failure('the database system is starting up', '57P03'),
  failure('sorry, too many clients already', '53300'),
  failure('password authentication failed', '28P01'),
  failure('cannot execute INSERT in a read-only transaction', '25006'),
  failure('could not extend file: No space left on device', '53100'),
  failure('deadlock detected', '40P01'),
  failure('canceling statement due to lock timeout', '55P03'),
  failure('Connection terminated unexpectedly'),
  failure('Query read timeout'),
  failure('timeout exceeded when trying to connect'),
])('%s: the store is away', (error) => {
  const seen = storeError(error);
  expect(seen).toBeInstanceOf(StoreUnavailableError);
  expect(seen).toMatchObject({
    cause: error,
    message: `the store does not answer: ${error.message}`,
  });
});

it('says what each address answered', () => {
  const both = new AggregateError([
    failure('connect ::1', 'ECONNREFUSED'),
    failure('connect 127.0.0.1'),
  ]);
  const error = storeError(Object.assign(both, { code: 'ECONNREFUSED' }));
  expect(String(error)).toContain('connect ::1; connect 127.0.0.1');
});

it('leaves faults of this code, and named errors, as they are', () => {
  for (const error of [
    failure('relation "x" does not exist', '42P01'),
    failure('invalid input syntax', '22P02'),
    new TypeError('x is not a function'),
    new StoreTooNewError('warren', 2, 1),
  ]) {
    expect(storeError(error)).toBe(error);
  }
});
