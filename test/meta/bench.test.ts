import { describe, expect, it } from 'vitest';
import { compare, type Scenario } from '../../bench/compare.ts';
import { memoryFigures } from '../../bench/dead/peak-memory.ts';
import { problemsIn } from '../../bench/micro/verdict.ts';
import { byFunction, byOwner } from '../../bench/profile/read-profile.ts';
import { median, percentile } from '../../bench/stats.ts';
import { ratioAtLeast, ratioAtMost, subjectAtMost, verdictOf } from '../../bench/target.ts';

describe('compare', () => {
  /** Each gives its figures in turn, the first of which is the warm-up. */
  function scenario(figures: Readonly<Record<string, number[]>>, order: string[]): Scenario {
    const contestants = Object.entries(figures).map(([name, all]) => {
      const left = [...all];
      const run = async () => {
        order.push(name);
        return { rate: left.shift() ?? 0 };
      };
      return { name, run };
    });
    const pairs = [{ subject: 'a', against: 'b', targets: { rate: ratioAtLeast(2) } }];
    return { name: 'work', figures: { rate: { unit: 'jobs/s' } }, contestants, pairs };
  }

  it('leaves the warm-up out, changes who begins, and takes ratios within a round', async () => {
    const order: string[] = [];
    const figures = { a: [1, 10, 30, 80], b: [1_000, 10, 10, 20] };
    const results = await compare(scenario(figures, order), 3, () => {});
    expect(order.join('')).toBe('ababbaab');
    expect(results).toEqual([
      {
        scenario: 'work',
        subject: 'a',
        against: 'b',
        ratio: 3,
        ratioMin: 1,
        ratioMax: 4,
        subjectMedian: 30,
        againstMedian: 10,
        unit: 'jobs/s',
        target: 'at least 2.00',
        isMet: true,
      },
    ]);
  });
});

describe('a target', () => {
  const shown = { ratio: 1.4, subjectMedian: 300 };

  it.each([
    [ratioAtLeast(1.4), 'at least 1.40', true],
    [ratioAtLeast(1.5), 'at least 1.50', false],
    [ratioAtMost(1.5), 'at most 1.50', true],
    [subjectAtMost(250), 'at most 250 ms', false],
  ])('%o is told in words', (target, words, isMet) => {
    expect(verdictOf(target, 'ms', shown)).toEqual({ target: words, isMet });
  });
});

describe('figures', () => {
  it('are summed up by the middle and by shares', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    const values = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
    expect([0.5, 0.99, 0.999, 1].map((share) => percentile(values, share))).toEqual([
      500, 990, 999, 1_000,
    ]);
  });
});

describe('memory', () => {
  const MB = 1_048_576;

  it.each([
    ['flat', [100, 140, 150, 145, 150, 120, 149, 150, 110], 50, 1],
    ['growing', [100, 110, 120, 130, 140, 150, 160, 170, 180], 80, 1.5],
    ['of a moment', [100], 0, 0],
  ])('%s', (_what, samples, growthMb, lateOverEarly) => {
    const bytes = samples.map((megabytes) => megabytes * MB);
    expect(memoryFigures(bytes)).toEqual({ growthMb, lateOverEarly });
  });
});

describe('a micro-benchmark', () => {
  it('is a problem when it takes more than twice its baseline, or when only one side knows it', () => {
    const baseline = { same: 1, twice: 0.5, slower: 0.04, least: 0.001, gone: 1 };
    const measured = { same: 0.2, twice: 1, slower: 0.12, least: 0.011, fresh: 1 };
    expect(problemsIn(measured, baseline)).toEqual([
      '"slower" takes 0.12 reference loops, 3.0 times its baseline of 0.04; 2 times are allowed',
      '"fresh" has no baseline',
      '"gone" is in the baseline, and no operation has that name',
    ]);
  });
});

describe('a profile', () => {
  const frame = (functionName: string, url: string, lineNumber = 9) => ({
    callFrame: { functionName, url, lineNumber },
  });
  const profile = {
    nodes: [
      { id: 1, ...frame('(idle)', '') },
      { id: 2, ...frame('(garbage collector)', '') },
      { id: 3, ...frame('encode', 'file:///w/node_modules/amqplib/lib/codec.js') },
      { id: 4, ...frame('', 'file:///w/libs/worker/src/executor.ts') },
      { id: 5, ...frame('writev', 'node:internal/stream_base_commons') },
      { id: 6, ...frame('encode', 'file:///w/node_modules/amqplib/lib/codec.js') },
    ],
    samples: [1, 3, 6, 4, 2, 5],
    timeDeltas: [500, 30, 20, 40, 10, 5],
  };

  it('is summed up by owner and by function, without what was waited', () => {
    const owners = byOwner(profile).map(({ where, microseconds }) => [where, microseconds]);
    expect(owners).toEqual([
      ['amqplib', 50],
      ['libs/worker', 40],
      ['(garbage collector)', 10],
      ['node:stream_base_commons', 5],
    ]);
    expect(byFunction(profile).map(({ where }) => where)).toEqual([
      'encode node_modules/amqplib/lib/codec.js:10',
      '(anonymous) libs/worker/src/executor.ts:10',
      '(garbage collector)',
      'writev node:internal/stream_base_commons:10',
    ]);
  });
});
