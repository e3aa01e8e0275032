import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { compare, type Result, roundsOf, type Scenario } from './compare.ts';
import { type Ran, type Report, toReport, toTable } from './report.ts';
import { RESULTS, readResults, writeResults } from './results.ts';

/** What to run, and how often. */
export interface RunPlan {
  readonly rounds: number;
  readonly scenarios: readonly Scenario[];
  /** Of what is compared, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether what the last run has shown is kept, and left out of this one. */
  readonly resume: boolean;
  /** Where the report is; by default where everybody looks for it. */
  readonly folder?: URL;
}

/** None takes a third of it, nor a third as long on a machine that is three times as busy. */
const LONGEST_MS = 15 * 60_000;

/** A scenario has not ended in time, and cannot be ended from outside: what it left would disturb the next. */
class StuckError extends Error {}

/**
 * Runs one scenario after the other, and writes what they showed into `bench/results` after each, as JSON and as a page. One
 * that fails is told and passed over; the exit code is 1 then. One that gets stuck ends the process: `--resume` goes on.
 */
export async function runScenarios({
  rounds,
  scenarios,
  versions,
  resume,
  folder = RESULTS,
}: RunPlan): Promise<void> {
  const setting = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores`,
    versions: { node: process.version, ...versions },
    rounds,
    loadBefore: load(),
  };
  say(`${setting.machine}; ${JSON.stringify(setting.versions)}\n`);
  const earlier = resume ? readResults(folder) : undefined;
  const ran: Ran[] = (earlier?.ran ?? []).filter(({ failed }) => failed === undefined);
  const results: Result[] = [...(earlier?.results ?? [])];
  const done = new Set(ran.map(({ scenario }) => scenario));
  for (const scenario of scenarios.filter(({ name }) => !done.has(name))) {
    const [startedAt, loadBefore] = [performance.now(), load()];
    const failed = await show(scenario, rounds, results);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(` ${seconds} s${failed ? `, failed: ${failed.message}` : ''}\n`);
    ran.push({
      scenario: scenario.name,
      rounds: roundsOf(scenario, rounds),
      seconds,
      loadBefore,
      ...(failed && { failed: String(failed) }),
    });
    const report: Report = { ...setting, ran, results };
    writeResults(folder, report, toReport(report, scenarios));
    if (failed instanceof StuckError) {
      say('What has been shown is written; go on with --resume.\n');
      process.exit(1);
    }
  }
  say(`\n${toTable(results)}\n`);
  if (ran.some(({ failed }) => failed !== undefined)) process.exitCode = 1;
}

/** Adds to `results` what it shows; returns why it could not. */
async function show(
  scenario: Scenario,
  rounds: number,
  results: Result[],
): Promise<Error | undefined> {
  const names = scenario.contestants.map(({ name }) => name);
  say(`${scenario.name}: ${names.join(', ')} `);
  const ended = new AbortController();
  const tooLong = pause(LONGEST_MS, undefined, ended).then(() => {
    throw new StuckError(`it has not ended within ${LONGEST_MS / 60_000} minutes`);
  });
  try {
    results.push(...(await Promise.race([compare(scenario, rounds, () => say('.')), tooLong])));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    ended.abort();
    await tooLong.catch(() => {});
  }
}

function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

function say(text: string): void {
  process.stdout.write(text);
}
