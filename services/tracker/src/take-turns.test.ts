import type { StoreLock } from '@warren/store';
import { expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** Takes turns on what `tryLock` answers; tells all that happens, in order. */
function run(answers: (() => Partial<StoreLock> | undefined)[], reign = ended) {
  const said: string[] = [];
  const stopping = new AbortController();
  const never = new AbortController().signal;
  const over = takeTurns(
    {
      async tryLock() {
        const answer = answers.shift();
        if (!answer) {
          stopping.abort();
          return undefined;
        }
        const lock = answer();
        return lock && { lost: never, release: async () => void said.push('released'), ...lock };
      },
      async reign(signal) {
        said.push('reigns');
        await reign(signal);
      },
      onStandby: () => said.push('stands by'),
      onProblem: (error) => said.push((error as Error).message),
    },
    stopping.signal,
  );
  return { said, stopping, over };
}

it('stands by while another has the turn, and gives it back when it is stopped', async () => {
  const { said, stopping, over } = run([() => undefined, () => ({})]);
  while (!said.includes('reigns')) await new Promise((resolve) => setTimeout(resolve, 5));
  stopping.abort();
  await over;
  expect(said).toEqual(['stands by', 'reigns', 'released']);
});

it('tries again when the lock is lost, cannot be asked for, or the reign fails or ends', async () => {
  const fail = () => {
    throw new Error('away');
  };
  const reigns = [ended, () => Promise.reject(new Error('broken')), async () => {}];
  const { said, over } = run(
    [() => ({ lost: AbortSignal.timeout(1) }), fail, () => ({}), () => ({})],
    (signal) => reigns.shift()?.(signal) ?? Promise.resolve(),
  );
  await over;
  expect(said).toEqual([
    ...['reigns', 'released', 'away'],
    ...['reigns', 'released', 'broken'],
    ...['reigns', 'released', 'stands by'],
  ]);
});
