import type { Result } from './compare.ts';

/** A Markdown table of results. */
export function toTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.scenario,
    `${result.subject} / ${result.against}`,
    `${result.ratio.toFixed(2)} (${result.ratioMin.toFixed(2)} to ${result.ratioMax.toFixed(2)})`,
    figure(result.subjectMedian, result.unit),
    figure(result.againstMedian, result.unit),
    targetOf(result),
  ]);
  const header = ['scenario', 'compared', 'ratio (spread)', 'subject', 'against', 'target'];
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function figure(value: number, unit: string): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: unit === 'ms' ? 1 : 0 })} ${unit}`;
}

function targetOf({ unit, target, ratio, subjectMedian }: Result): string {
  const met = unit === 'ms' ? subjectMedian <= target : ratio >= target;
  const words = unit === 'ms' ? `at most ${target} ms` : `at least ${target.toFixed(2)}`;
  return `${words}: ${met ? 'met' : 'missed'}`;
}
