import { expect, it, vi } from 'vitest';
import { optionLines, readOptions } from './cli.ts';
import { askedFor, meant, noOptions, parse, UsageError } from './command-line.ts';
import { readMillionOptions } from './million-options.ts';
import { allScenarios, namesOf, quickScenarios } from './scenarios/index.ts';

const names = ['publish', 'publish one by one', 'consume'];
const known = { defaultRounds: 3, names: () => names };
const bench = {
  name: 'bench',
  usage: optionLines(known),
  read: (args: readonly string[]) => readOptions(args, known),
};
const refusal = (...args: string[]) => {
  const asked = askedFor(bench, args);
  expect(asked.kind).toBe('refuse');
  return asked.kind === 'refuse' ? asked.text : '';
};

it.each([
  [['--nonsense'], /^bench: Unknown option '--nonsense'; the nearest is --\w+;/],
  [['--round', '3'], /^bench: Unknown option '--round'; the nearest is --rounds;/],
  [['--only', 'consme'], /^bench: --only: nothing is named consme; the nearest is consume;/],
  [['publish'], /^bench: Unexpected argument 'publish'/],
  [['--rounds', '0'], /^bench: --rounds: expected a whole number from 1, got 0/],
  [['--scale', '2'], /^bench: --scale: .*got 2/],
  [['--only'], /^bench: Option '--only <value>' argument missing/],
])('what is wrong in %j is told in one line', (args, line) => {
  expect(refusal(...args)).toMatch(line);
  expect(refusal(...args)).toMatch(/^.*--help lists all options$/);
});

it('help lists options and scenarios, whatever else is said', () => {
  for (const args of [['--help'], ['-h'], ['--nonsense', '--help']]) {
    const asked = askedFor(bench, args);
    expect(asked.kind).toBe('help');
    const { text } = asked as { text: string };
    for (const option of ['--rounds', '--only', '--scale', '--resume', '--url']) {
      expect(text).toContain(`  ${option}`);
    }
    for (const name of names) expect(text).toContain(`\n  ${name}`);
  }
});

it('what can be used is run with its options', () => {
  const asked = askedFor(bench, ['--only', 'publish', '--rounds', '7', '--url', 'amqp://there']);
  expect(asked).toMatchObject({
    kind: 'run',
    options: { only: 'publish', rounds: 7, scale: 1, resume: false, url: 'amqp://there' },
  });
});

it('a fault that is no wrong use is thrown', () => {
  const read = () => {
    throw new RangeError('a fault');
  };
  expect(() => askedFor({ ...bench, read }, [])).toThrow(RangeError);
});

it('a name means itself, a part of names all of them, and no name everything', () => {
  const all = names.map((name) => ({ name }));
  expect(meant('publish', all)).toEqual([all[0]]);
  expect(meant('pub', all)).toEqual(all.slice(0, 2));
  expect(meant(undefined, all)).toEqual(all);
});

it('a million is counted from what can be done', () => {
  vi.stubEnv('AMQP_URL', 'amqp://elsewhere');
  expect(readMillionOptions([], 10)).toEqual({ count: 1_000_000, url: 'amqp://elsewhere' });
  vi.unstubAllEnvs();
  expect(() => readMillionOptions(['--count', '9'], 10)).toThrow(
    new UsageError('--count: expected a whole number from 10, got 9'),
  );
  expect(() => readMillionOptions(['--cuont', '9'], 10)).toThrow('the nearest is --count');
});

it('where there are no options none is near', () => {
  expect(() => noOptions(['--fast'])).toThrow(new UsageError("Unknown option '--fast'"));
  expect(parse([], {})).toEqual({});
});

it('scenarios have names without a broker, each its own', () => {
  for (const scale of [1, 0.1]) {
    const all = namesOf(allScenarios, scale);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(namesOf(quickScenarios, scale)));
  }
});

it('a scenario can be named by the number of jobs that the scale makes of it', () => {
  const read = (...args: string[]) =>
    readOptions(args, { defaultRounds: 1, names: (scale) => [`with ${10 * scale} waiting`] });
  expect(read('--only', 'with 5', '--scale', '0.5').only).toBe('with 5');
  expect(() => read('--only', 'with 5')).toThrow('the nearest is with 10 waiting');
});
