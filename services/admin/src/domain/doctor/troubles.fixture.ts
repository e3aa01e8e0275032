import { expect } from 'vitest';
import { examine } from './examine.ts';
import { facts, topology } from './facts.fixture.ts';
import type { DoctorFacts } from './facts.ts';
import type { Finding } from './finding.ts';

/** With what only a production needs. */
export const production = { production: true };

/** What is not `ok`, of a production. */
export const troubles = (changes: Partial<DoctorFacts>): Finding[] =>
  examine(facts(changes), production).filter(({ result }) => result !== 'ok');

/** The one finding that there is, as `check result: finding`. */
export function only(changes: Partial<DoctorFacts>): string {
  const found = troubles(changes);
  expect(found).toHaveLength(1);
  const [{ check, result, finding, advice } = { check: '', result: '', finding: '', advice: '' }] =
    found;
  expect(advice).toBeTruthy();
  return `${check} ${result}: ${finding}`;
}

/** Of every queue, with a consumer and nothing that waits but in these. */
export const figures = (...others: [string, number, number][]) => ({
  value: new Map([
    ...topology.queues.map(({ name }) => [name, { ready: 0, consumers: 1 }] as const),
    ...others.map(([name, ready, consumers]) => [name, { ready, consumers }] as const),
  ]),
});

export const unseen = { unseen: 'nobody tells' };
