import { describe, expect, it } from 'vitest';
import { runSteps, type Step } from '../../demo/run-steps.ts';
import { normalise } from '../../demo/transcript.ts';

type Stage = { readonly signal: AbortSignal };

const stage: Stage = { signal: new AbortController().signal };
const good: Step<Stage> = { title: 'good', run: async (_stage, tell) => tell('done') };
const bad: Step<Stage> = {
  title: 'bad',
  run: async () => {
    throw new Error('1 mail instead of 2');
  },
};

async function run(...steps: Step<Stage>[]) {
  const lines: string[] = [];
  const failures = await runSteps(steps, stage, (line) => void lines.push(normalise(line)));
  return { failures, lines };
}

describe('the steps of the demo', () => {
  it('say how each went, and that all was as expected', async () => {
    const { failures, lines } = await run(good);
    expect(failures).toBe(0);
    expect(lines).toEqual([
      '1. good',
      '   done',
      '   as expected, after <time>',
      '',
      'All as expected.',
    ]);
  });

  it('go on after one that failed, and count it', async () => {
    const { failures, lines } = await run(bad, good);
    expect(failures).toBe(1);
    expect(lines).toContain('   NOT as expected: 1 mail instead of 2');
    expect(lines).toContain('   done');
    expect(lines.at(-1)).toBe('1 of 2 not as expected.');
  });

  it('end with the reason when the demo is ended from outside, also in the middle of one', async () => {
    const ending = new AbortController();
    const ended: Step<Stage> = {
      title: 'ended',
      run: async () => {
        ending.abort(new Error('stopped by SIGINT'));
        throw new Error('interrupted');
      },
    };
    const running = runSteps([ended, good], { signal: ending.signal }, () => undefined);
    await expect(running).rejects.toThrow('stopped by SIGINT');
  });
});

it('normalises ids and times, and nothing else', () => {
  const line = '1 dead letter, 01a227a6-8c32-7460-bce7-2baef30effca: 550, after 12.4 s';
  expect(normalise(line)).toBe('1 dead letter, <id>: 550, after <time>');
});
