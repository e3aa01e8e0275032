import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ratioToReference } from './measure.ts';
import { isSlower, problemsIn, type Ratios } from './verdict.ts';

/**
 * Measures the operations of `libs/*` that every job goes through, each against a fixed reference loop, and compares the
 * ratios with those that are committed. Ends with 1 when one takes far longer than it did.
 * `--write` commits to what was measured; `--only` names a part of the names.
 */
const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const { write, only } = values;
if (write && only !== '') throw new TypeError('--write: not together with --only');

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

const baseline = write ? {} : (JSON.parse(readFileSync(BASELINE, 'utf8')) as Ratios);
const measured: Record<string, number> = {};
for (const lib of readdirSync(new URL('libs/', ROOT)).sort()) {
  for (const [operation, run] of Object.entries(await operationsOf(lib))) {
    const name = `${lib}: ${operation}`;
    if (!name.includes(only)) continue;
    measured[name] = await leastRatio(run, baseline[name]);
    process.stdout.write(`${name.padEnd(52)} ${measured[name]}\n`);
  }
}

if (write) {
  writeFileSync(BASELINE, `${JSON.stringify(measured, null, 2)}\n`);
} else {
  const asked = Object.entries(baseline).filter(([name]) => name.includes(only));
  const problems = problemsIn(measured, Object.fromEntries(asked));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const advice =
    'Find out why; if it must be so, `npm run bench:micro -- --write` says that it may.';
  if (problems.length > 0) process.stderr.write(`${advice}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
