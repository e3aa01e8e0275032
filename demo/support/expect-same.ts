import { isDeepStrictEqual } from 'node:util';

/** @throws an error that says what was found and what was expected */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}
