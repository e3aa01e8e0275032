import { afterEach, describe, expect, it, vi } from 'vitest';
import { Pardons } from './pardons.ts';

afterEach(() => void vi.useRealTimers());

describe('Pardons', () => {
  it('counts by job, from none', () => {
    const pardons = new Pardons();
    pardons.add('a');
    pardons.add('a');
    pardons.add('b');
    expect([pardons.of('a'), pardons.of('b'), pardons.of('c'), pardons.of(undefined)]).toEqual([
      2, 1, 0, 0,
    ]);
  });

  it('counts apart what was out for too long, until the job is settled', () => {
    const pardons = new Pardons();
    pardons.addOverdue('a');
    pardons.addOverdue('a');
    expect([pardons.overdueOf('a'), pardons.overdueOf('b'), pardons.of('a')]).toEqual([2, 0, 0]);
    pardons.forget('a');
    expect(pardons.overdueOf('a')).toBe(0);
  });

  it('forgets a job', () => {
    const pardons = new Pardons();
    pardons.forget('a');
    pardons.add('a');
    pardons.add('b');
    pardons.forget('a');
    expect([pardons.of('a'), pardons.of('b')]).toEqual([0, 1]);
  });

  it('remembers the latest 10,000 jobs, so that its memory is bounded', () => {
    const pardons = new Pardons();
    for (let job = 0; job < 10_000; job += 1) pardons.add(`job-${job}`);
    pardons.add('job-0');
    pardons.add('one more');
    expect([pardons.of('job-0'), pardons.of('job-1'), pardons.of('job-2')]).toEqual([2, 0, 1]);
  });

  it('pardons any job a return for each loss of the consumer, known or not, but not both', () => {
    const pardons = new Pardons();
    pardons.addLoss();
    pardons.addLoss();
    for (let times = 0; times < 3; times += 1) pardons.add('often');
    pardons.add('known');
    expect(['often', 'known', 'unknown'].map((id) => pardons.of(id))).toEqual([3, 2, 2]);
    pardons.forget('known');
    expect(pardons.of('known')).toBe(2);
  });

  it('lets losses count for ten minutes, so that poison is not pardoned for old ones', () => {
    vi.useFakeTimers();
    const pardons = new Pardons();
    pardons.addLoss();
    vi.advanceTimersByTime(500_000);
    pardons.addLoss();
    vi.advanceTimersByTime(99_000);
    expect(pardons.of('a')).toBe(2);
    vi.advanceTimersByTime(2_000);
    expect(pardons.of('a')).toBe(1);
    vi.advanceTimersByTime(600_000);
    expect(pardons.of('a')).toBe(0);
  });

  it('remembers a thousand losses at most', () => {
    const pardons = new Pardons();
    for (let loss = 0; loss < 1_500; loss += 1) pardons.addLoss();
    expect(pardons.of('a')).toBe(1_000);
  });
});
