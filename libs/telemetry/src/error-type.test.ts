import {
  BrokerUnavailableError,
  DeliveryLostError,
  JobTimeoutError,
  NonRetryableError,
  RetryAfterError,
} from '@warren/contracts';
import { expect, test } from 'vitest';
import { errorTypeOf } from './error-type.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });
const hostile = new Proxy(new Error('x'), {
  get() {
    throw new Error('no');
  },
});

test.each([
  ['timeout', new JobTimeoutError('a', 1)],
  ['timeout', new DOMException('late', 'TimeoutError')],
  ['dependency', new RetryAfterError(5)],
  ['dependency', new BrokerUnavailableError('down')],
  ['dependency', coded('ECONNREFUSED')],
  ['dependency', coded('ENOTFOUND')],
  ['dependency', coded('UND_ERR_SOCKET')],
  ['dependency', new TypeError('fetch failed', { cause: coded('ECONNRESET') })],
  ['aborted', new DOMException('stop', 'AbortError')],
  ['aborted', new DeliveryLostError('q', 'gone')],
  ['handler', new NonRetryableError('no')],
  ['handler', coded('ENOENT')],
  ['handler', new RangeError('mine')],
  ['_OTHER', 'a thrown string'],
  ['_OTHER', undefined],
  ['_OTHER', hostile],
])('%s', (expected, thrown) => {
  expect(errorTypeOf(thrown)).toBe(expected);
});

test('an endless chain of causes ends', () => {
  const error = new Error('loop');
  error.cause = error;
  expect(errorTypeOf(error)).toBe('handler');
});
