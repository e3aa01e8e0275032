import type { QueueLook } from '../data-access/queue-look.ts';
import type { Paint } from './paint.ts';
import { tableText } from './table.ts';
import { visible } from './visible.ts';

const HEAD = ['queue', 'ready', 'running', 'leased', 'retrying', 'suspects', 'dead', 'consumers'];

/** Where the jobs are, for a person. Ends with a line feed. */
export function queueTable({ queues, unroutable }: QueueLook, paint: Paint): string {
  const rows = queues.map((line) => [
    visible(line.queue),
    ...(line.exists ? [String(line.ready)] : ['no queue']),
    ...[line.running, line.leased, line.retrying].map((count) =>
      count === undefined ? '-' : String(count),
    ),
    ...[line.suspects, line.dead, line.consumers].map(String),
  ]);
  const expired = queues.filter(({ expiredLeases = 0 }) => expiredLeases > 0);
  const notes = [
    ...expired.map(
      ({ queue, expiredLeases }) =>
        `expired leases of ${visible(queue)}: ${expiredLeases}; its workers publish such jobs again`,
    ),
    ...(unroutable > 0 ? [`${unroutable} in jobs.unroutable, whose queue is gone`] : []),
  ];
  return `${tableText(HEAD, rows)}${notes.map((note) => `${paint('red', note)}\n`).join('')}`;
}
