import type { Outbox } from '@warren/store';
import { expect, it, vi } from 'vitest';
import { tellFirst } from './tell-first.ts';

it('forgets what was published once the history tells of it', async () => {
  let tell: () => void = () => {};
  const whenTold = vi.fn(
    () =>
      new Promise<boolean>((resolve) => {
        tell = () => resolve(true);
      }),
  );
  const done = vi.fn(async () => {});
  const outbox = tellFirst({ done } as unknown as Outbox, { whenTold });
  const forgetting = outbox.done(['a']);
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  tell();
  await forgetting;
  expect(done).toHaveBeenCalledExactlyOnceWith(['a']);
});

it('waits for a history that is away once, and then hardly at all until it is back', async () => {
  const answers = [false, false, true, true];
  const waits: number[] = [];
  const whenTold = async (timeoutMs: number) => {
    waits.push(timeoutMs);
    return answers.shift() ?? false;
  };
  const outbox = tellFirst({ done: async () => {} } as unknown as Outbox, { whenTold });
  for (const id of ['a', 'b', 'c', 'd']) await outbox.done([id]);
  expect(waits).toEqual([5_000, 100, 100, 5_000]);
});
