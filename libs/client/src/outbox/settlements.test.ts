import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OutboxPort } from './outbox-port.ts';
import { Settlements } from './settlements.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Settlements over a database that answers when it is told to. */
function world(maxInHand = 10_000) {
  const told: (readonly string[])[] = [];
  const settled: string[] = [];
  const problems: unknown[] = [];
  const state = { isAway: false };
  const answers: (() => void)[] = [];
  const onSettled: (() => Promise<void>)[] = [];
  const take = async (ids: readonly string[]) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    if (state.isAway) throw new Error('gone');
    told.push(ids);
  };
  const outbox: OutboxPort = {
    lease: async () => [],
    done: take,
    putBack: take,
    pending: async () => ({ count: 0 }),
  };
  const settlements = new Settlements(outbox, maxInHand, {
    onSettled: (ids) => {
      settled.push(...ids);
      void onSettled.shift()?.();
    },
    onProblem: (error) => problems.push(error),
  });
  const answer = async () => {
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { settlements, told, settled, problems, state, answers, onSettled, answer };
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('writes those of 50 ms together, and a full batch at once', async () => {
  const { settlements, told, settled, answers, answer } = world(8);
  settlements.done('a');
  await later(49);
  expect(answers).toHaveLength(0);
  await later(1);
  await answer();
  expect(told).toEqual([['a']]);
  settlements.done('b');
  settlements.done('c');
  await later(0);
  await answer();
  expect(told).toEqual([['a'], ['b', 'c']]);
  expect(settled).toEqual(['a', 'b', 'c']);
});

it('writes also what came while it was writing, although nothing comes after it', async () => {
  const { settlements, told, answer } = world();
  settlements.done('a');
  await later(50);
  settlements.done('b');
  settlements.putBack('c', 0, 'refused');
  await answer();
  expect(told).toEqual([['a']]);
  await later(50);
  await answer();
  await answer();
  expect(told).toEqual([['a'], ['c'], ['b']]);
});

it('repeats what the database did not take, with pauses, and keeps it in hand meanwhile', async () => {
  const { settlements, told, settled, problems, state, answers, answer } = world(4);
  state.isAway = true;
  settlements.done('a');
  await later(50);
  await answer();
  // A batch does not cut the pause short.
  settlements.done('b');
  await later(99);
  expect([problems.length, answers.length, settled.length]).toEqual([1, 0, 0]);
  state.isAway = false;
  await later(1);
  await answer();
  expect(told).toEqual([['a', 'b']]);
  expect(settled).toEqual(['a', 'b']);
});

it('finishes at once, and does not insist', async () => {
  const { settlements, state, problems, answer } = world();
  state.isAway = true;
  settlements.done('a');
  const finished = settlements.finish();
  await later(0);
  await answer();
  await finished;
  expect(problems).toHaveLength(1);
});

it.each([0, 1, 2, 3, 4])(
  'writes what is said %i turns after it wrote the last, although nothing comes after it',
  async (turns) => {
    const { settlements, told, onSettled, answer } = world();
    onSettled.push(async () => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      settlements.done('b');
    });
    settlements.done('a');
    await later(50);
    await answer();
    await later(50);
    await answer();
    expect(told).toEqual([['a'], ['b']]);
  },
);
