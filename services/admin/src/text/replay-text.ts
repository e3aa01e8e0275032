import type { ReplayReport } from '@warren/dead-letter';
import type { Paint } from './paint.ts';
import { takeText } from './take-text.ts';
import { visible } from './visible.ts';

/** What a replay did, for a person. Ends with a line feed. */
export function replayText(report: ReplayReport, paint: Paint, goOn?: string): string {
  const { dryRun, replayed, targets, cameBack } = report;
  const words = {
    done: dryRun ? 'Dry run: would replay' : 'Replayed',
    count: replayed,
    details: [
      ...Object.entries(targets).map(([name, count]) => `  ${count} to ${visible(name)}`),
      ...(cameBack > 0 ? [`  ${cameBack} failed again meanwhile and were not taken twice`] : []),
    ],
    goOn,
    unknown: 'perhaps replayed and still in the queue: another replay may repeat them',
  };
  return takeText(report, words, paint);
}
