import { expect, it } from 'vitest';
import { withProgress } from './with-progress.ts';

const words = { choosing: 'Choosing', taking: 'Replaying' };

it('shows how far it is on a terminal, and leaves nothing there', async () => {
  const told: string[] = [];
  const shell = {
    progress: (text: string) => void told.push(text),
    err: (text: string) => void told.push(text),
    env: {},
  };
  const answer = await withProgress(shell, words, async (onProgress, say) => {
    onProgress?.({ step: 'choosing', done: 1, of: 4 });
    onProgress?.({ step: 'taking', done: 2, of: 4 });
    onProgress?.({ step: 'taking', done: 3, of: 4 });
    say('waiting');
    return 7;
  });
  expect(answer).toBe(7);
  expect(told[0]).toContain('Choosing');
  expect(told[1]).toContain('2 of 4');
  expect(told.slice(2)).toEqual(['\r\u001b[K', 'warren: waiting\n', '\r\u001b[K']);
});

it.each([{}, { TERM: 'dumb' }])('shows nothing elsewhere: %j', async (env) => {
  const told: string[] = [];
  const progress = 'TERM' in env ? (text: string) => void told.push(text) : undefined;
  const err = (text: string) => void told.push(text);
  await withProgress({ progress, err, env }, words, async (onProgress, say) => {
    expect(onProgress).toBeUndefined();
    say('waiting');
  });
  expect(told).toEqual(['warren: waiting\n']);
});
