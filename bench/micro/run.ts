import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { meant, optionsOf, parse, UsageError } from '../command-line.ts';
import { ratioToReference } from './measure.ts';
import { isSlower, problemsIn, type Ratios } from './verdict.ts';

/**
 * Measures the operations of `libs/*` that every job goes through, each against a fixed reference loop, and compares the
 * ratios with those that are committed. Ends with 1 when one takes far longer than it did.
 */

const ROOT = new URL('../../', import.meta.url);
const BASELINE = new URL('baseline.json', import.meta.url);
const AGAIN = 2;

type Operations = Readonly<Record<string, () => unknown>>;

/** Those that a lib offers in `src/<lib>.micro.ts`. */
async function operationsOf(lib: string): Promise<Operations> {
  const file = new URL(`libs/${lib}/src/${lib}.micro.ts`, ROOT);
  if (!existsSync(file)) return {};
  return ((await import(file.href)) as { micro: Operations }).micro;
}

/** What is too slow is measured again before it is called so, and the least counts: the machine may have done other work meanwhile. */
async function leastRatio(
  run: () => unknown,
  expected = Number.POSITIVE_INFINITY,
): Promise<number> {
  let least = await ratioToReference(run);
  for (let again = 0; again < AGAIN && isSlower(least, expected); again += 1) {
    least = Math.min(least, await ratioToReference(run));
  }
  return Number(least.toPrecision(3));
}

/** All that there are, by `lib: operation`. */
async function allOperations() {
  const libs = readdirSync(new URL('libs/', ROOT)).sort();
  const all = await Promise.all(
    libs.map(async (lib) =>
      Object.entries(await operationsOf(lib)).map(([operation, run]) => ({
        name: `${lib}: ${operation}`,
        run,
      })),
    ),
  );
  return all.flat();
}

const operations = await allOperations();
const {
  write,
  asked: toMeasure,
  only,
} = optionsOf({
  name: 'bench:micro',
  usage: `Usage: npm run bench:micro -- [--only NAME] [--write]

Measures what every job goes through, operation by operation, against a committed baseline: ends with 1 when one takes far longer.

  --only NAME   one operation by its name, or all by a part of it
  --write       commits to what was measured: bench/micro/baseline.json

Operations:
${operations.map(({ name }) => `  ${name}`).join('\n')}`,
  read(args) {
    const { write, only } = parse(args, {
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
    });
    if (write && only !== undefined) throw new UsageError('--write: not together with --only');
    return { write, only, asked: meant(only, operations) };
  },
});

const baseline = write ? {} : (JSON.parse(readFileSync(BASELINE, 'utf8')) as Ratios);
const measured: Record<string, number> = {};
for (const { name, run } of toMeasure) {
  measured[name] = await leastRatio(run, baseline[name]);
  process.stdout.write(`${name.padEnd(52)} ${measured[name]}\n`);
}

if (write) {
  writeFileSync(BASELINE, `${JSON.stringify(measured, null, 2)}\n`);
} else {
  // With everything, also of what is no operation any more.
  const expected = Object.entries(baseline).filter(
    ([name]) => only === undefined || name in measured,
  );
  const problems = problemsIn(measured, Object.fromEntries(expected));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const advice =
    'Find out why; if it must be so, `npm run bench:micro -- --write` says that it may.';
  if (problems.length > 0) process.stderr.write(`${advice}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
