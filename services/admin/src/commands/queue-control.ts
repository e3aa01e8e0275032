import { counting, pausing } from '@warren/client';
import { checkJobTypeName, type QueueCounts } from '@warren/contracts';
import { changeControl, readControl, withStreams } from '../data-access/control.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { visible } from '../text/visible.ts';

/** Options of what changes a queue. */
export interface QueueChangeOptions {
  readonly prefetch?: number | undefined;
  readonly reason?: string | undefined;
}

/** `warren queue pause` and `resume`. */
export async function pauseQueue(
  admin: Admin,
  queue: string,
  isPaused: boolean,
  { reason }: QueueChangeOptions,
): Promise<ExitCode> {
  await checkQueue(admin, queue);
  const action = isPaused ? 'queue.pause' : 'queue.resume';
  await changeControl(admin, pausing(queue, isPaused), { action, details: { queue, reason } });
  const what = isPaused ? 'nobody takes its jobs' : 'its jobs are taken again';
  admin.shell.out(`${visible(queue)}: ${what}\n`);
  return 0;
}

/** `warren queue concurrency`: shows it, sets it, or takes it back. */
export async function queueConcurrency(
  admin: Admin,
  queue: string,
  wanted: number | 'reset' | undefined,
  { prefetch, reason }: QueueChangeOptions,
): Promise<ExitCode> {
  await checkQueue(admin, queue);
  if (wanted === undefined && prefetch === undefined) return showCounts(admin, queue);
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
  admin.shell.out(`${visible(queue)}: ${countsText(counts)}\n`);
  return 0;
}

async function showCounts(admin: Admin, queue: string): Promise<ExitCode> {
  const { concurrency = {} } = await withStreams(admin, readControl);
  const counts = Object.hasOwn(concurrency, queue) ? concurrency[queue] : undefined;
  admin.shell.out(`${visible(queue)}: ${countsText(counts)}\n`);
  return 0;
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
