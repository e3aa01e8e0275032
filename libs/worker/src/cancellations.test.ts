import { describe, expect, it } from 'vitest';
import { Cancellations } from './cancellations.ts';

const job = (id: string, generation = 0) => ({ id, generation });

describe('Cancellations', () => {
  it('finds the request that means a job, and no other', () => {
    const cancellations = new Cancellations();
    const audit = { id: 'a', queue: 'audit', atMs: 1 };
    const first = { id: 'a', queue: 'email.send', generation: 0, by: 'ada', atMs: 2 };
    cancellations.note(audit);
    cancellations.note(first);
    expect(cancellations.find('email.send', job('a'))).toBe(first);
    expect(cancellations.find('audit', job('a', 3))).toBe(audit);
    expect(cancellations.find('email.send', job('a', 1))).toBeUndefined();
    expect(cancellations.find('email.send', job('b'))).toBeUndefined();
    expect(cancellations.find('email.send', { id: undefined, generation: 0 })).toBeUndefined();
  });

  it('keeps so many ids, the newest, and one of equal requests', () => {
    const cancellations = new Cancellations(2);
    for (const id of ['a', 'b', 'a', 'c', 'c']) cancellations.note({ id, atMs: 0 });
    expect(cancellations.size).toBe(2);
    expect(['a', 'b', 'c'].filter((id) => cancellations.find('q', job(id)))).toEqual(['a', 'c']);
  });
});
