import { type DiscardReport, discard } from '@warren/dead-letter';
import { withAudit } from '../data-access/audit-trail.ts';
import { withHistory } from '../data-access/session-history.ts';
import { findPurged } from '../domain/find-purged.ts';
import { actor, whoAmI } from '../domain/who.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';
import { takeExitCode } from './take-exit-code.ts';
import { withProgress } from './with-progress.ts';

export interface PurgeOptions extends ResultOptions {
  readonly reason?: string | undefined;
  readonly yes?: boolean | undefined;
}

const WORDS = { choosing: 'Choosing', taking: 'Discarding' };

/**
 * `warren queue purge`: drops the jobs that wait in a queue, each told to the history. They are taken one by one, since a
 * purge by the broker tells nobody which they were; and not looked at before, since below RabbitMQ 4.3 a look counts as a
 * delivery that was lost, and two of them make a suspect.
 * @throws UsageError; QueueMissingError; LockHeldError naming who migrates or purges it
 */
export async function purgeQueue(
  admin: Admin,
  name: string,
  options: PurgeOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  const { reason, yes } = options;
  const queue = findPurged(name, topology);
  if (!reason?.trim()) throw new UsageError('--reason: say why');
  if (!yes && !shell.confirm) {
    throw new UsageError('purge asks first; where there is no terminal, it needs --yes');
  }
  return withAudit(admin, true, (audit) =>
    withSession(admin, async (session) => {
      const depth = await session.depth(queue);
      const question = `Discard ${jobs(depth)} that ${depth === 1 ? 'waits' : 'wait'} in ${queue} for good?`;
      if (depth > 0 && !yes && !(await shell.confirm?.(question))) {
        shell.err('warren: nothing was discarded\n');
        return 1;
      }
      await session.lock(topology.names.migrationLock(queue), whoAmI());
      const what = { queue, reason };
      await audit.write('queue.purge', { ...what, depth });
      const report = await withHistory(admin, session, (history) =>
        withProgress(shell, WORDS, (onProgress) =>
          discard({
            session,
            topology,
            history,
            onProgress,
            source: { queue, workQueue: queue },
            // No more than was agreed to.
            limit: depth,
            holder: whoAmI(),
            by: actor(),
            signal: shell.signal,
          }),
        ),
      );
      show(admin, report, options);
      await audit.write('queue.purge.ended', { ...what, report });
      return takeExitCode(report);
    }),
  );
}

function show({ shell }: Admin, report: DiscardReport, options: PurgeOptions): void {
  const { queue, depth, discarded, missing, unknown, stopped } = report;
  const lines = [
    `Discarded ${discarded} of ${jobs(depth)} in ${queue}`,
    ...(missing > 0 ? [`  ${missing} were gone: workers took them`] : []),
    ...(unknown > 0 ? [`  ${unknown} perhaps discarded, or still in the queue`] : []),
    ...(stopped ? [`Stopped early: ${visible(stopped.message)}. Run it again to go on.`] : []),
  ];
  const result = { queue, depth, discarded, missing, unknown, stopped: stopped ?? null };
  showResult(shell, options, result, lines.join('\n'));
}

function jobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`;
}
