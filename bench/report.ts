import type { Contestant, Result, Scenario } from './compare.ts';

/** Where and on what a run was measured. */
export interface Setting {
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  /** Processes that wanted a core, on average over the minute before the run. */
  readonly loadBefore: number;
}

/** A run as a page: where it was measured, the results, who was compared and how they were set. */
export function toReport(
  setting: Setting,
  scenarios: readonly Scenario[],
  results: readonly Result[],
): string {
  const versions = Object.entries(setting.versions).map(([name, version]) => `${name} ${version}`);
  return [
    '# Benchmark',
    `${setting.machine}; ${versions.join(', ')}. ${setting.rounds} rounds of each in turn after one that is not counted; load of the machine before: ${setting.loadBefore}. A ratio is subject / against, the median over the rounds, with the least and the greatest.`,
    toTable(results),
    ...notesOf(scenarios),
  ].join('\n\n');
}

/** A Markdown table of results. */
export function toTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.scenario,
    `${result.subject} / ${result.against}`,
    `${result.ratio.toFixed(2)} (${result.ratioMin.toFixed(2)} to ${result.ratioMax.toFixed(2)})`,
    figure(result.subjectMedian, result.unit),
    figure(result.againstMedian, result.unit),
    result.target ? `${result.target}: ${result.isMet ? 'met' : 'missed'}` : '–',
  ]);
  const header = ['scenario', 'compared', 'ratio (spread)', 'subject', 'against', 'target'];
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function figure(value: number, unit: string): string {
  const maximumFractionDigits = value >= 1_000 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${unit}`;
}

function notesOf(scenarios: readonly Scenario[]): string[] {
  const byName = new Map<string, Contestant>();
  for (const { contestants } of scenarios) {
    for (const contestant of contestants) {
      if (contestant.notes && !byName.has(contestant.name)) byName.set(contestant.name, contestant);
    }
  }
  if (byName.size === 0) return [];
  const entries = [...byName.values()].map(
    ({ name, notes = [] }) => `- **${name}**: ${notes.join('; ')}.`,
  );
  return ['## Who was compared, and how they were set', entries.join('\n')];
}
