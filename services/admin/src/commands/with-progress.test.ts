import { expect, it } from 'vitest';
import { withProgress } from './with-progress.ts';

const words = { choosing: 'Choosing', taking: 'Replaying' };

it('shows how far it is on a terminal, and leaves nothing there', async () => {
  const told: string[] = [];
  const shell = { progress: (text: string) => void told.push(text), env: {} };
  const answer = await withProgress(shell, words, async (onProgress) => {
    onProgress?.({ step: 'choosing', done: 1, of: 4 });
    onProgress?.({ step: 'taking', done: 2, of: 4 });
    onProgress?.({ step: 'taking', done: 3, of: 4 });
    return 7;
  });
  expect(answer).toBe(7);
  expect(told).toHaveLength(3);
  expect(told[0]).toContain('Choosing');
  expect(told[1]).toContain('2 of 4');
  expect(told[2]).toBe('\r\u001b[K');
});

it.each([{}, { TERM: 'dumb' }])('shows nothing elsewhere: %j', async (env) => {
  const told: string[] = [];
  const progress = 'TERM' in env ? (text: string) => void told.push(text) : undefined;
  await withProgress({ progress, env }, words, async (onProgress) => {
    expect(onProgress).toBeUndefined();
  });
  expect(told).toEqual([]);
});
