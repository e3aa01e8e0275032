import type { Contestant, Result, Scenario } from './compare.ts';
import { ratioText, toFigure } from './figure-text.ts';
import { toPromises } from './promises.ts';

/** Where and on what a run was measured. */
export interface Setting {
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  /** Processes that wanted a core, on average over the minute before the run. */
  readonly loadBefore: number;
}

/** What became of a scenario. */
export interface Ran {
  readonly scenario: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly loadBefore: number;
  /** Why it has shown nothing. */
  readonly failed?: string;
}

/** A run, as far as it has come. */
export interface Report extends Setting {
  readonly ran: readonly Ran[];
  readonly results: readonly Result[];
}

/** A run as a page: where it was measured, what was promised, the results, who was compared and how they were set. */
export function toReport(report: Report, scenarios: readonly Scenario[]): string {
  const { results, ran } = report;
  const failures = ran.flatMap(({ scenario, failed }) =>
    failed === undefined ? [] : [`- **${scenario}** failed: ${failed}`],
  );
  return [
    '# Benchmark',
    `${toSettingLine(report)} A ratio is subject / against, the median over the rounds, with the least and the greatest.`,
    ...(failures.length > 0 ? [failures.join('\n')] : []),
    '## What is promised',
    toPromises(results),
    '## All that was measured',
    toTable(results),
    ...notesOf(scenarios),
  ].join('\n\n');
}

/** Where, on what and how a run was measured, in a sentence or two. */
export function toSettingLine({ machine, versions, rounds, loadBefore, ran }: Report): string {
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const loads = ran.map((one) => one.loadBefore);
  const busiest = Math.max(loadBefore, ...loads);
  return `${machine}; ${all.join(', ')}. ${rounds} rounds of each in turn, fewer where a round takes minutes, after one that is not counted; load of the machine before: ${loadBefore}, at most ${busiest} before a scenario.`;
}

/** A Markdown table of results. */
export function toTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.scenario,
    `${result.subject} / ${result.against}`,
    ratioText(result),
    toFigure(result.subjectMedian, result.unit),
    toFigure(result.againstMedian, result.unit),
    result.target ? `${result.target}: ${result.isMet ? 'met' : 'missed'}` : '–',
  ]);
  const header = ['scenario', 'compared', 'ratio (spread)', 'subject', 'against', 'target'];
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
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
