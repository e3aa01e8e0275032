import { describe, expect, it } from 'vitest';
import { RecentlySent, type SentJob } from './recently-sent.ts';

const job = (id: string, other: Partial<SentJob> = {}): SentJob => ({
  id,
  generation: 0,
  payload: { to: 'ada@example.org', subject: 'Hi', text: 'Hello' },
  ...other,
});

const nothing = async () => undefined;

describe('RecentlySent', () => {
  it('sends a mail once, however often its job comes', async () => {
    const sent = new RecentlySent();
    expect(await sent.once(job('a'), nothing)).toBe(true);
    expect(await sent.once(job('a'), () => Promise.reject(new Error('sent twice')))).toBe(false);
  });

  it.each<[string, SentJob]>([
    ['another id', job('b')],
    ['a replay', job('a', { generation: 1 })],
    ['other content', job('a', { payload: { to: 'ada@example.org', subject: 'Ho', text: '' } })],
  ])('sends what differs by %s', async (_, other) => {
    const sent = new RecentlySent();
    await sent.once(job('a'), nothing);
    expect(await sent.once(other, nothing)).toBe(true);
  });

  it('lets a duplicate wait for the first, and take its place if that fails', async () => {
    const sent = new RecentlySent();
    let fail = (_: Error) => {};
    const first = sent.once(
      job('a'),
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const others = [sent.once(job('a'), nothing), sent.once(job('a'), nothing)];
    fail(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    expect((await Promise.all(others)).sort()).toEqual([false, true]);
  });

  it('sends again what failed', async () => {
    const sent = new RecentlySent();
    const refuse = () => Promise.reject(new Error('refused'));
    await expect(sent.once(job('a'), refuse)).rejects.toThrow('refused');
    expect(await sent.once(job('a'), nothing)).toBe(true);
  });

  it('forgets the oldest beyond its limit', async () => {
    const sent = new RecentlySent(2);
    for (const id of ['a', 'b', 'c']) await sent.once(job(id), nothing);
    expect(await sent.once(job('c'), nothing)).toBe(false);
    expect(await sent.once(job('b'), nothing)).toBe(false);
    expect(await sent.once(job('a'), nothing)).toBe(true);
  });
});
