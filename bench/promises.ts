import type { Result } from './compare.ts';
import { ratioText, toFigure } from './figure-text.ts';

/** What was promised and measured: target, figure, whether it is met, and how to measure it again, as a table in Markdown. */
export function toPromises(results: readonly Result[]): string {
  const rows = results.flatMap((result) => rowOf(result));
  const header = ['what', 'target', 'measured', '', 'again by'];
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function rowOf(result: Result): string[][] {
  const { scenario, subject, against, only, target, isMet } = result;
  if (target === undefined) return [];
  const command = only.startsWith('peers') ? 'bench:full' : 'bench';
  return [
    [
      `${scenario}: ${subject}, against ${against}`,
      target,
      `${ratioText(result)}; ${toFigure(result.subjectMedian, result.unit)}, ${toFigure(result.againstMedian, result.unit)}`,
      isMet ? 'met' : '**MISSED**',
      `\`npm run ${command} -- --only '${only}'\``,
    ],
  ];
}
