import type { Readiness } from '@warren/runtime';
import { expect, it } from 'vitest';
import { problemOf } from './until-ready.ts';

it.each<[Record<string, string>[], string]>([
  [[{ store: 'away' }, { broker: 'refused' }], 'broker: refused'],
  [[{ store: 'not asked yet' }, { store: 'away', history: 'not reading yet' }], 'store: away'],
  [[{ store: 'not asked yet' }, { broker: 'ok', consumer: 'none' }, {}], 'ok'],
])('says what a person can do something about: %j', (checks, problem) => {
  const services = checks.map((one) => ({
    ready: (): Readiness => ({ ready: false, checks: one }),
  }));
  expect(problemOf(services)).toBe(problem);
});
