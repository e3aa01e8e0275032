import type { Stop, TakeReport } from '@warren/dead-letter';
import type { Paint } from './paint.ts';
import { shortened, visible } from './visible.ts';

const MAX_EXAMPLES = 10;
const MAX_CHARS = 300;

/** What is said of a run over dead letters beside its report. */
export interface TakeWords {
  /** Such as `Replayed`, or `Dry run: would replay`. */
  readonly done: string;
  readonly count: number;
  /** A line each. */
  readonly details?: readonly string[];
  readonly unknown: string;
  /** How to go on with one that ended early. */
  readonly goOn?: string | undefined;
}

/** What was done with dead letters, for a person. Ends with a line feed. */
export function takeText(report: TakeReport, words: TakeWords, paint: Paint): string {
  const { queue, selected, depth, passed, missing, unknown, doneBefore, stopped } = report;
  const of = selected < depth ? `${selected} chosen of ${depth}` : String(depth);
  const lines = [
    `${words.done} ${paint('bold', String(words.count))} of ${of} dead letters in ${queue}`,
    ...(words.details ?? []),
    ...(doneBefore > 0 ? [`  ${doneBefore} were done before and are only taken out now`] : []),
    ...(passed > 0 ? [`  ${passed} were not meant and stay`] : []),
    ...leftLines(report, paint),
    ...(unknown > 0 ? [`  ${unknown} ${words.unknown}`] : []),
    ...(missing > 0 ? [`  ${missing} were gone: somebody else took them or looks at them`] : []),
    ...(stopped ? stopLines(stopped, words, paint) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function stopLines({ reason, message }: Stop, { goOn }: TakeWords, paint: Paint): string[] {
  const head = paint('red', `Stopped early: ${visible(message)}`);
  if (reason === 'queue_missing') {
    return [head, 'It was deleted, and with it what was not dealt with.'];
  }
  const kept = 'Nothing is lost: what was not dealt with is in the queue.';
  return [head, `${kept} ${goOn ?? 'Run it again to go on.'}`];
}

function leftLines({ left, leftExamples, dryRun }: TakeReport, paint: Paint): string[] {
  if (left === 0) return [];
  const stay = dryRun ? 'would stay' : left === 1 ? 'stays' : 'stay';
  const shown = leftExamples.slice(0, MAX_EXAMPLES);
  return [
    paint('yellow', `  ${left} ${stay} in the queue:`),
    ...shown.map(
      ({ id, problem }) =>
        `    ${visible(id ?? '(no id)')}: ${shortened(visible(problem), MAX_CHARS)}`,
    ),
    ...(left > shown.length ? [`    and ${left - shown.length} more`] : []),
  ];
}
