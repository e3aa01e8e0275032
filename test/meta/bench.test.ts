import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { compare, type Scenario } from '../../bench/compare.ts';
import { memoryFigures } from '../../bench/dead/peak-memory.ts';
import { problemsIn } from '../../bench/micro/verdict.ts';
import { toPromises } from '../../bench/promises.ts';
import { readResults } from '../../bench/results.ts';
import { runScenarios } from '../../bench/run-scenarios.ts';
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
        only: 'work',
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

  it('ends a scenario once, after its rounds, also when one of them fails', async () => {
    const order: string[] = [];
    const end = async () => void order.push('end');
    await compare({ ...scenario({ a: [], b: [] }, order), end }, 1, () => {});
    expect(order.join(' ')).toBe('a b a b end');
    const contestants = [{ name: 'a', run: () => Promise.reject(new Error('it fell')) }];
    const failing = { ...scenario({}, order), contestants, end };
    await expect(compare(failing, 1, () => {})).rejects.toThrow('it fell');
    expect(order.join(' ')).toBe('a b a b end end');
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

describe('a run', () => {
  const half = {
    figures: { rate: { unit: 'jobs/s' } },
    contestants: [
      { name: 'a', run: async () => ({ rate: 1 }) },
      { name: 'b', run: async () => ({ rate: 2 }) },
    ],
    pairs: [{ subject: 'a', against: 'b', targets: { rate: ratioAtLeast(0.6) } }],
  };
  const fallen = {
    ...half,
    contestants: [{ name: 'a', run: () => Promise.reject(new Error('it fell')) }],
  };
  const plan = { rounds: 1, versions: {}, resume: false };

  it('passes over what fails, and goes on with what is not yet shown', async ({
    onTestFinished,
  }) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    onTestFinished(() => {
      vi.restoreAllMocks();
      process.exitCode = 0;
      rmSync(folder, { recursive: true });
    });
    const at = pathToFileURL(`${folder}/`);
    const first = [
      { ...half, name: 'one' },
      { ...fallen, name: 'two' },
    ];
    await runScenarios({ ...plan, folder: at, scenarios: first });
    const [exitCode, report] = [process.exitCode, readResults(at)];
    expect(exitCode).toBe(1);
    expect(report?.results.map(({ only }) => only)).toEqual(['one']);
    expect(report?.ran.map(({ failed }) => failed)).toEqual([undefined, 'Error: it fell']);
    process.exitCode = 0;
    const again = [
      { ...fallen, name: 'one' },
      { ...half, name: 'two' },
    ];
    await runScenarios({ ...plan, folder: at, scenarios: again, resume: true });
    expect(process.exitCode).toBe(0);
    const resumed = readResults(at);
    expect(resumed?.ran.map(({ scenario, failed }) => [scenario, failed])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ]);
    expect(toPromises(resumed?.results ?? [])).toContain(
      "| two: a, against b | at least 0.60 | 0.50 (0.50 to 0.50); 1 jobs/s, 2 jobs/s | **MISSED** | `npm run bench -- --only 'two'` |",
    );
  });

  it('says by how little a target is missed, where two digits would not', () => {
    const result = { scenario: 'two', only: 'two', subject: 'a', against: 'b', unit: 'jobs/s' };
    const figures = { subjectMedian: 946, againstMedian: 1_000, ratioMin: 0.93, ratioMax: 0.95 };
    const row = (ratio: number, isMet: boolean) =>
      toPromises([{ ...result, ...figures, ratio, target: 'at least 0.95', isMet }]);
    expect(row(0.946, false)).toContain('| at least 0.95 | 0.946 (0.93 to 0.95);');
    expect(row(0.951, true)).toContain('| at least 0.95 | 0.95 (0.93 to 0.95);');
    expect(row(0.9, false)).toContain('| at least 0.95 | 0.90 (0.93 to 0.95);');
  });
});
