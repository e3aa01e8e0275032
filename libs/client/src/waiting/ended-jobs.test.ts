import type { HistoryEvent } from '@warren/history';
import { describe, expect, it } from 'vitest';
import { EndedJobs } from './ended-jobs.ts';

const base = { id: 'a', type: 'a.b', queue: 'a.b', atMs: 1, generation: 0, attempt: 1, run: 'r' };
const succeeded = (fields: Partial<HistoryEvent> & { result?: string } = {}) =>
  ({ kind: 'succeeded', durationMs: 1, ...base, ...fields }) as HistoryEvent;
const dead = (fields: object = {}) =>
  ({ kind: 'dead', reason: 'poison', ...base, ...fields }) as HistoryEvent;

describe('jobs that ended lately', () => {
  it('are found by id, or by id and queue; what goes on is not', () => {
    const ended = new EndedJobs();
    expect(ended.see({ kind: 'started', worker: 'w', ...base })).toBeUndefined();
    expect(ended.see(succeeded())?.event.kind).toBe('succeeded');
    ended.see(dead({ queue: 'other' }));
    expect(ended.find('a', undefined)?.event.queue).toBe('a.b');
    expect(ended.find('a', 'other')?.event.kind).toBe('dead');
    expect(ended.find('a', 'third')).toBeUndefined();
    expect(ended.find('b', undefined)).toBeUndefined();
  });

  it('are told once, however often and late their events come', () => {
    const ended = new EndedJobs();
    expect(ended.see(dead({ attempt: 2 }))).toBeDefined();
    expect(ended.see(dead({ attempt: 2 }))).toBeUndefined();
    expect(ended.see({ kind: 'started', worker: 'w', ...base, attempt: 2 })).toBeUndefined();
    expect(ended.find('a', 'a.b')?.event.attempt).toBe(2);
  });

  it('have not ended any more when they are replayed, and end again', () => {
    const ended = new EndedJobs();
    ended.see(dead());
    ended.see({ kind: 'replayed', ...base, generation: 1, run: '' });
    expect(ended.find('a', 'a.b')).toBeUndefined();
    expect(ended.see(succeeded({ generation: 1 }))?.event.generation).toBe(1);
    expect(ended.see(dead())).toBeUndefined();
  });

  it('are forgotten, the oldest first, beyond a number or a size', () => {
    const ended = new EndedJobs({ maxJobs: 3, maxBytes: 10_000 });
    ended.startOver(-100);
    for (let n = 0; n < 5; n += 1) ended.see(succeeded({ id: `j${n}`, atMs: n }));
    const known = () => [0, 1, 2, 3, 4].filter((n) => ended.find(`j${n}`, undefined));
    expect(known()).toEqual([2, 3, 4]);
    expect(ended.completeSinceMs).toBe(2);
    ended.see(succeeded({ id: 'large', atMs: 9, result: 'x'.repeat(4_800) }));
    expect(ended.find('large', undefined)).toBeDefined();
    expect(known()).toEqual([]);
    ended.startOver(7);
    expect(ended.find('large', undefined)).toBeUndefined();
    expect(ended.completeSinceMs).toBe(7);
  });
});
