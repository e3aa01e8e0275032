import type { QueueLook } from '../data-access/queue-look.ts';
import type { Paint } from './paint.ts';
import { tableText } from './table.ts';
import { visible } from './visible.ts';

const HEAD = ['queue', 'ready', 'running', 'retrying', 'suspects', 'dead', 'consumers'];

/** Where the jobs are, for a person. Ends with a line feed. */
export function queueTable({ queues, unroutable }: QueueLook, paint: Paint): string {
  const rows = queues.map((line) => [
    visible(line.queue),
    ...(line.exists ? [String(line.ready)] : ['no queue']),
    ...[line.running, line.retrying].map((count) => (count === undefined ? '-' : String(count))),
    ...[line.suspects, line.dead, line.consumers].map(String),
  ]);
  const table = tableText(HEAD, rows);
  if (unroutable === 0) return table;
  return `${table}${paint('red', `${unroutable} in jobs.unroutable, whose queue is gone`)}\n`;
}
