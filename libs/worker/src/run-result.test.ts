import { expect, it } from 'vitest';
import { encodeResult, MAX_RESULT_BYTES } from './run-result.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;
const unreadable = {
  toJSON() {
    throw new Error('no toJSON');
  },
};

it.each([
  [undefined, {}],
  [null, { result: 'null' }],
  [{ sent: 3 }, { result: '{"sent":3}' }],
  ['é'.repeat(MAX_RESULT_BYTES / 2 - 1), { result: expect.stringMatching(/^"é+"$/) }],
  [
    'é'.repeat(MAX_RESULT_BYTES / 2),
    { resultProblem: '65538 bytes, more than the 65536 that are kept' },
  ],
  [() => 1, { resultProblem: 'a function has no form in JSON' }],
  [5n, { resultProblem: expect.stringContaining('it has no form in JSON: ') }],
  [circular, { resultProblem: expect.stringContaining('circular') }],
  [unreadable, { resultProblem: expect.stringContaining('no toJSON') }],
])('a handler that returned %o', (value, expected) => {
  expect(encodeResult(value)).toEqual(expected);
});
