import type { AttemptRecord, JobRecord } from '@warren/store';
import type { Paint } from './paint.ts';
import { tableText } from './table.ts';
import { timeText } from './time-text.ts';
import { shortened, visible, visibleJson } from './visible.ts';

const MAX_CHARS = 80;

/** Jobs as a table, for a person. Ends with a line feed. */
export function jobTable(jobs: readonly JobRecord[], paint: Paint): string {
  if (jobs.length === 0) return `${paint('dim', 'no jobs')}\n`;
  const rows = jobs.map((job) => [
    visible(job.id),
    visible(job.queue),
    job.state,
    String(job.generation),
    String(job.attempt),
    timeText(job.updatedAtMs),
    shortened(visible(job.error?.message ?? ''), MAX_CHARS),
  ]);
  return tableText(['id', 'queue', 'state', 'generation', 'attempt', 'changed', 'error'], rows);
}

/** All of one job, for a person. Ends with a line feed. */
export function jobPage(job: JobRecord, attempts: readonly AttemptRecord[], paint: Paint): string {
  const { error, result, progress, ...facts } = job;
  const lines = Object.entries(facts).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isTime = name.endsWith('AtMs') && typeof value === 'number';
    const label = isTime ? name.slice(0, -'AtMs'.length) : name;
    return [
      `${paint('dim', label.padEnd(14))} ${visible(isTime ? timeText(value) : String(value))}`,
    ];
  });
  if (progress) lines.push(`${paint('dim', 'progress'.padEnd(14))} ${visibleJson(progress)}`);
  if (error) lines.push(paint('dim', 'error'), ...indented(error.stack ?? error.message));
  if (result !== undefined) lines.push(paint('dim', 'result'), visibleJson(result, 2));
  if (attempts.length > 0) lines.push(paint('dim', 'attempts'));
  for (const one of attempts) {
    const ended =
      one.outcome === undefined ? 'running' : `${one.outcome} ${timeText(one.endedAtMs)}`;
    const message = one.error ? `: ${shortened(visible(one.error.message), MAX_CHARS)}` : '';
    lines.push(
      `  ${one.generation}.${one.attempt} ${timeText(one.startedAtMs)} ${visible(ended)}${message}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${visible(line)}`);
}
