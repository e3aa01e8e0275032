import { counting, pausing } from '@warren/client';
import { checkJobTypeName, type QueueCounts } from '@warren/contracts';
import { changeControl, readControl, withStreams } from '../data-access/control.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';

/** Options of what changes a queue. */
export interface QueueChangeOptions extends ResultOptions {
  readonly prefetch?: number | undefined;
  readonly reason?: string | undefined;
}

/** `warren queue pause` and `resume`. */
export async function pauseQueue(
  admin: Admin,
  queue: string,
  isPaused: boolean,
  options: QueueChangeOptions,
): Promise<ExitCode> {
  const { reason } = options;
  await checkQueue(admin, queue);
  const action = isPaused ? 'queue.pause' : 'queue.resume';
  await changeControl(admin, pausing(queue, isPaused), { action, details: { queue, reason } });
  const what = isPaused ? 'nobody takes its jobs' : 'its jobs are taken again';
  const result = { queue, paused: isPaused };
  showResult(admin.shell, options, result, `${visible(queue)}: ${what}`);
  return 0;
}

/** `warren queue concurrency`: shows it, sets it, or takes it back. */
export async function queueConcurrency(
  admin: Admin,
  queue: string,
  wanted: number | 'reset' | undefined,
  options: QueueChangeOptions,
): Promise<ExitCode> {
  const { prefetch, reason } = options;
  await checkQueue(admin, queue);
  if (wanted === undefined && prefetch === undefined) return showCounts(admin, queue, options);
  if (wanted === 'reset' && prefetch !== undefined) {
    throw new UsageError('reset takes the prefetch back too: leave --prefetch out');
  }
  const counts =
    wanted === 'reset'
      ? undefined
      : {
          ...(wanted !== undefined && { concurrency: wanted }),
          ...(prefetch !== undefined && { prefetch }),
        };
  const details = { queue, ...(counts ?? { reset: true }), reason };
  await changeControl(admin, counting(queue, counts), { action: 'queue.concurrency', details });
  tellCounts(admin, queue, counts, options);
  return 0;
}

async function showCounts(admin: Admin, queue: string, options: ResultOptions): Promise<ExitCode> {
  const { concurrency = {} } = await withStreams(admin, readControl);
  const counts = Object.hasOwn(concurrency, queue) ? concurrency[queue] : undefined;
  tellCounts(admin, queue, counts, options);
  return 0;
}

/** Null where code and environment say. */
function tellCounts(
  { shell }: Admin,
  queue: string,
  counts: QueueCounts | undefined,
  options: ResultOptions,
): void {
  const { concurrency = null, prefetch = null } = counts ?? {};
  const sentence = `${visible(queue)}: ${countsText(counts)}`;
  showResult(shell, options, { queue, concurrency, prefetch }, sentence);
}

function countsText(counts: QueueCounts | undefined): string {
  if (!counts) return 'concurrency and prefetch as code and environment say';
  const { concurrency, prefetch } = counts;
  return [
    ...(concurrency === undefined ? [] : [`concurrency ${concurrency}`]),
    ...(prefetch === undefined ? [] : [`prefetch ${prefetch}`]),
    'in each process',
  ].join(', ');
}

/** A name that is mistyped would be kept, and do nothing. @throws ConfigInvalidError, QueueMissingError */
async function checkQueue(admin: Admin, queue: string): Promise<void> {
  checkJobTypeName(queue);
  const name = admin.topology.names.workQueue(queue);
  await withSession(admin, (session) => session.depth(name));
}
