import { describe, expect, it } from 'vitest';
import type { DoctorFacts } from './facts.ts';
import { only, troubles } from './troubles.fixture.ts';

describe('bindings and permissions', () => {
  const binding = { exchange: 'jobs', queue: 'audit', routingKey: '#' };
  it('tells of a reader at the front door, and of what is missing', () => {
    expect(only({ bindings: { value: [{ kind: 'foreign', ...binding }] } })).toContain(
      'bindings problem: audit is bound to jobs by "#"',
    );
    expect(only({ bindings: { value: [{ kind: 'missing', ...binding }] } })).toContain(
      'bindings problem: 1 missing: jobs -> audit',
    );
  });

  it.each<[DoctorFacts['permissions'], string]>([
    [{ value: undefined }, 'permissions problem: warren has none'],
  ])('%j', (permissions, expected) => {
    const [found] = troubles({ permissions });
    expect(`${found?.check} ${found?.result}: ${found?.finding}`).toContain(expected);
  });

  it('names what may not be done', () => {
    const own = { configure: '.*', write: '.*', read: '' };
    expect(only({ permissions: { value: own } })).toContain('warren may not read jobs.unroutable');
    const some = { configure: '.*', read: '.*', write: '^(?!jobs.unroutable)' };
    expect(only({ permissions: { value: some } })).toBe(
      'permissions warning: warren may not write jobs.unroutable',
    );
  });
});
