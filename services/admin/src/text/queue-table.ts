import type { FlowingLook } from '../data-access/queue-look.ts';
import type { FlowingLine } from '../domain/queue-flow.ts';
import type { Paint } from './paint.ts';
import { rateText, timeLeft } from './progress-line.ts';
import { tableText, tableWidth } from './table.ts';
import { shortened, visible } from './visible.ts';

interface Column {
  readonly head: string;
  readonly cell: (line: FlowingLine) => string;
  /** Where the terminal is too narrow, the greatest goes first; those without it stay. */
  readonly dropAs?: number;
}

const MIN_NAME = 12;
const known = (count: number | undefined) => (count === undefined ? '-' : String(count));
const rate = (perSecond: number | undefined) =>
  perSecond === undefined ? '-' : rateText(perSecond);

const COLUMNS: readonly Column[] = [
  { head: 'ready', cell: ({ exists, ready }) => (exists ? String(ready) : 'no queue') },
  { head: 'running', cell: ({ running }) => known(running), dropAs: 4 },
  { head: 'leased', cell: ({ leased }) => known(leased), dropAs: 7 },
  { head: 'retrying', cell: ({ retrying }) => known(retrying), dropAs: 1 },
  { head: 'suspects', cell: ({ suspects }) => String(suspects), dropAs: 6 },
  { head: 'dead', cell: ({ dead }) => String(dead) },
  { head: 'consumers', cell: ({ consumers }) => String(consumers), dropAs: 2 },
  { head: 'in/s', cell: ({ inPerSecond }) => rate(inPerSecond), dropAs: 3 },
  { head: 'out/s', cell: ({ outPerSecond }) => rate(outPerSecond), dropAs: 3 },
  { head: 'change/s', cell: ({ changePerSecond }) => changeText(changePerSecond), dropAs: 5 },
  { head: 'empty in', cell: ({ drainSeconds }) => drainText(drainSeconds) },
];

/** Where the jobs are, for a person. Ends with a line feed; no line is longer than `width`, where that is given. */
export function queueTable(
  { queues, unroutable, tiers, ratesProblem }: FlowingLook,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string {
  const isRated = ratesProblem === undefined;
  const all = COLUMNS.filter(({ head }) => isRated || (head !== 'in/s' && head !== 'out/s'));
  const [head, rows] = fitting(queues, all, width);
  const expired = queues.filter(({ expiredLeases = 0 }) => expiredLeases > 0);
  const waiting = tiers.map(({ tier, waiting: count }) => `${tier} ${count}`).join(', ');
  const notes = [
    ...expired.map(
      ({ queue, expiredLeases }) =>
        `expired leases of ${visible(queue)}: ${expiredLeases}; its workers publish such jobs again`,
    ),
    ...(unroutable > 0 ? [`${unroutable} in jobs.unroutable, whose queue is gone`] : []),
  ];
  const lines = [
    ...(waiting === '' ? [] : [cut(`retrying by tier, all queues: ${waiting}`, width)]),
    ...notes.map((note) => paint('red', cut(note, width))),
  ];
  const table = tableText(head, rows)
    .split('\n')
    .map((line) => cut(line, width))
    .join('\n');
  return `${table}${lines.map((line) => `${line}\n`).join('')}`;
}

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

/** Leaves out columns first, then ends of names. */
function fitting(queues: readonly FlowingLine[], columns: readonly Column[], width: number): Table {
  const head = ['queue', ...columns.map((column) => column.head)];
  const rows = queues.map((line) => [
    visible(line.queue),
    ...columns.map(({ cell }) => cell(line)),
  ]);
  const over = tableWidth(head, rows) - width;
  if (over <= 0) return [head, rows];
  const drop = Math.max(...columns.map(({ dropAs = 0 }) => dropAs));
  if (drop > 0) {
    return fitting(
      queues,
      columns.filter(({ dropAs }) => dropAs !== drop),
      width,
    );
  }
  const longest = Math.max(...rows.map(([name = '']) => name.length));
  const room = Math.max(MIN_NAME, longest - over);
  return [head, rows.map(([name = '', ...cells]) => [cut(name, room), ...cells])];
}

function cut(text: string, width: number): string {
  return text.length > width ? shortened(text, width - 1) : text;
}

function changeText(perSecond: number | undefined): string {
  if (perSecond === undefined) return '-';
  return `${perSecond > 0 ? '+' : perSecond < 0 ? '-' : ''}${rateText(Math.abs(perSecond))}`;
}

function drainText(seconds: number | undefined): string {
  return seconds === undefined ? '-' : timeLeft(seconds);
}
