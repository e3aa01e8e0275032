import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { BareInstallation } from './bare.ts';
import { compare, type Result, type Scenario } from './compare.ts';
import { toReport, toTable } from './report.ts';

/** What to run, and how often. */
export interface RunPlan {
  readonly url: string;
  readonly rounds: number;
  readonly scenarios: readonly Scenario[];
  /** Of what else is compared with, by name. */
  readonly versions?: Readonly<Record<string, string>>;
}

const RESULTS = new URL('results/', import.meta.url);

/** Runs one scenario after the other, and writes what they showed into `bench/results`, as JSON and as a page. */
export async function runScenarios({ url, rounds, scenarios, versions }: RunPlan): Promise<void> {
  const setting = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores`,
    versions: {
      node: process.version,
      rabbitmq: await BareInstallation.versionOf(url),
      ...versions,
    },
    rounds,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
  process.stdout.write(`${setting.machine}; ${JSON.stringify(setting.versions)}\n`);
  const results: Result[] = [];
  for (const scenario of scenarios) {
    const names = scenario.contestants.map(({ name }) => name);
    process.stdout.write(`${scenario.name}: ${names.join(', ')} `);
    results.push(...(await compare(scenario, rounds, () => process.stdout.write('.'))));
    process.stdout.write('\n');
    // After each: a long run that is broken off has shown something.
    write('latest.json', `${JSON.stringify({ ...setting, results }, null, 2)}\n`);
    write('latest.md', `${toReport(setting, scenarios, results)}\n`);
  }
  process.stdout.write(`\n${toTable(results)}\n`);
}

function write(name: string, text: string): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL(name, RESULTS), text);
}
