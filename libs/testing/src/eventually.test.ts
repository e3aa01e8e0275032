import { describe, expect, it, vi } from 'vitest';
import { eventually } from './eventually.ts';

/** Gives these answers, one at each call, and the last one from then on. An error is thrown. */
function answers(...list: unknown[]) {
  let calls = 0;
  return vi.fn(() => {
    const answer = list[Math.min(calls, list.length - 1)];
    calls += 1;
    if (answer instanceof Error) throw answer;
    return answer as string;
  });
}

describe('eventually', () => {
  it('asks again while the answer is undefined, false or an error', async () => {
    const probe = answers(undefined, false, new Error('not yet'), 'there');
    await expect(eventually('it is there', probe)).resolves.toBe('there');
    expect(probe).toHaveBeenCalledTimes(4);
  });

  it.each([0, '', null, true])('takes %j for an answer', async (answer) => {
    const probe = answers(answer);
    await expect(eventually('an answer', probe)).resolves.toBe(answer);
    expect(probe).toHaveBeenCalledOnce();
  });

  it('waits for a probe that answers later', async () => {
    await expect(eventually('later', async () => 'there')).resolves.toBe('there');
  });

  it('names what it waited for, and the last answer', async () => {
    await expect(eventually('a consumer', answers(undefined), 60)).rejects.toThrow(
      'not within 60 ms: a consumer (last: undefined)',
    );
    await expect(eventually('a consumer', answers(false, new Error('404')), 60)).rejects.toThrow(
      'not within 60 ms: a consumer (last: Error: 404)',
    );
  });

  it('ends in time though the probe does not answer', async () => {
    const never = () => new Promise<string>(() => {});
    await expect(eventually('an answer', never, 60)).rejects.toThrow('not within 60 ms: an answer');
  });
});
