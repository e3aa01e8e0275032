import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readChaosOptions, UsageError } from './support/command-line.ts';
import { noPrivateNode } from './support/private-roots.ts';
import { seededRandom } from './support/random.ts';

const PROGRAM = fileURLToPath(new URL('./run.ts', import.meta.url));

async function chaos(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await said;
  return { code, stdout, stderr };
}

describe('npm run chaos', () => {
  it.each([
    [['--minutes', '5', '--seconds', '5'], '--minutes'],
    [['--seconds', 'soon'], '--seconds'],
    [['--seed', '-1'], '--seed'],
    [['5'], '5'],
    [['--scenario', 'worker'], '--scenario'],
    [['--scenario', 'product', '--minutes', '0'], '--minutes'],
  ])('refuses %j and names what is wrong', (args, named) => {
    expect(() => readChaosOptions(args)).toThrow(UsageError);
    expect(() => readChaosOptions(args)).toThrow(named);
  });

  it('ends with 2 when it is used wrongly, and says how first', async () => {
    const { code, stderr } = await chaos('--seconds', 'soon');
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toContain('--seconds');
  });

  const account = async (...args: string[]) => {
    const { code, stdout, stderr } = await chaos(...args, '--seed', '7');
    expect(stderr).toBe('');
    expect(code, stdout).toBe(0);
    const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(report).toMatchObject({ seed: 7, lost: 0, attemptsSpentByFaults: 0 });
    expect(report['accepted']).toBeGreaterThan(0);
    expect(report['duplicated']).toBeTypeOf('number');
    return report;
  };

  it.skipIf(noPrivateNode)('ends with its account as a line of JSON, nothing lost', async () => {
    const report = await account('--scenario', 'broker', '--seconds', '3');
    expect(report['deadLettered']).toBe(0);
  });

  it.skipIf(noPrivateNode)(
    'is a storm unless another is asked for, in which nothing goes unexplained',
    async () => {
      const report = await account('--seconds', '10');
      expect(report).toMatchObject({
        scenario: 'storm',
        clean: true,
        unfinished: 0,
        duplicatesUnexplained: 0,
        wronglyDead: {},
        badEnds: [],
      });
    },
  );
});

describe('seededRandom', () => {
  it('repeats itself for the same seed only', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});
