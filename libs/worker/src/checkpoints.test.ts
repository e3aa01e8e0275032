import { describe, expect, it } from 'vitest';
import { Checkpoints, MAX_CHECKPOINT_BYTES } from './checkpoints.ts';

/** Keeps one state at a time, when the test says so. */
function slowStore() {
  const kept: string[] = [];
  const pending: { done(): void; fail(error: Error): void }[] = [];
  const checkpoints = new Checkpoints((state) => {
    kept.push(state);
    return new Promise((resolve, reject) => pending.push({ done: resolve, fail: reject }));
  });
  return { checkpoints, kept, pending };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Checkpoints', () => {
  it('keeps one at a time, and of those that come meanwhile the last', async () => {
    const { checkpoints, kept, pending } = slowStore();
    const first = checkpoints.save(1);
    await turn();
    const others = Promise.all([2, 3, 4].map((state) => checkpoints.save(state)));
    await turn();
    expect(kept).toEqual(['1']);
    pending[0]?.done();
    await first;
    await turn();
    expect(kept).toEqual(['1', '4']);
    pending[1]?.done();
    await others;
    expect(kept).toHaveLength(2);
  });

  it('tells whoever waits for it that one could not be kept, and keeps the next', async () => {
    const { checkpoints, kept, pending } = slowStore();
    const first = checkpoints.save(1);
    await turn();
    const second = checkpoints.save(2);
    pending[0]?.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await turn();
    pending[1]?.done();
    await second;
    expect(kept).toEqual(['1', '2']);
  });

  it('refuses what is no JSON or too large, and names it', async () => {
    const { checkpoints, kept } = slowStore();
    const circle: unknown[] = [];
    circle.push(circle);
    for (const state of [undefined, () => {}, 1n, circle]) {
      await expect(checkpoints.save(state)).rejects.toMatchObject({
        setting: 'checkpoint',
        message: expect.stringContaining('is no JSON'),
      });
    }
    await expect(checkpoints.save('x'.repeat(MAX_CHECKPOINT_BYTES))).rejects.toThrow(
      `checkpoint: has ${MAX_CHECKPOINT_BYTES + 2} bytes as JSON, at most ${MAX_CHECKPOINT_BYTES}`,
    );
    expect(kept).toEqual([]);
  });
});
