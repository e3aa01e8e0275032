import { setTimeout as pause } from 'node:timers/promises';
import type { BrokerSession } from '@warren/broker';
import {
  type FlowingLook,
  lookAtQueues,
  lookAtRates,
  type QueueLook,
  type RatesLook,
} from '../data-access/queue-look.ts';
import { withFlow } from '../domain/queue-flow.ts';
import type { QueueLine } from '../domain/queue-lines.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import type { AdminShell } from '../shell.ts';
import { choosePaint } from '../text/paint.ts';
import { queueTable } from '../text/queue-table.ts';
import { inPlace } from '../text/redraw.ts';
import { visible, visibleJson } from '../text/visible.ts';

export interface QueuesOptions {
  readonly watch?: boolean | undefined;
  /** Seconds between two looks. */
  readonly interval: number;
  readonly json?: boolean | undefined;
}

/**
 * `warren queues`: where the jobs of each queue are, and how they move. With `watch` until it is to end.
 * @throws BrokerUnavailableError
 */
export async function showQueues(admin: Admin, options: QueuesOptions): Promise<ExitCode> {
  const { signal } = admin.shell;
  await withSession(admin, async (session) => {
    let before = await timed(admin, session);
    let shown = 0;
    do {
      if (options.watch && shown === 0) show(admin, flowing(before, undefined), options, shown++);
      await pause(options.interval * 1_000, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      const now = await timed(admin, session);
      show(admin, flowing(now, before), options, shown++);
      before = now;
    } while (options.watch);
  });
  return 0;
}

interface TimedLook extends QueueLook, RatesLook {
  readonly atMs: number;
}

async function timed(admin: Admin, session: BrokerSession): Promise<TimedLook> {
  const look = await lookAtQueues(admin, session);
  const atMs = performance.now();
  const rates = await lookAtRates(
    admin,
    look.queues.map(({ queue }: QueueLine) => queue),
  );
  return { ...look, ...rates, atMs };
}

function flowing({ rates, atMs, ...look }: TimedLook, before: TimedLook | undefined): FlowingLook {
  const first = before && { lines: before.queues, elapsedMs: atMs - before.atMs };
  return { ...look, queues: withFlow(look.queues, first, rates) };
}

function show(
  { shell }: Admin,
  look: FlowingLook,
  { watch = false, json = false }: QueuesOptions,
  shown: number,
): void {
  if (shown === 0 && look.problem !== undefined) {
    shell.err(`warren: running, leased and retrying are not known: ${visible(look.problem)}\n`);
  }
  shell.out(
    json ? `${visibleJson(look, watch ? undefined : 2)}\n` : text(shell, look, watch, shown > 0),
  );
}

function text(shell: AdminShell, look: FlowingLook, watch: boolean, isFurther: boolean): string {
  const { columns, rows } = shell.size?.() ?? {};
  const table = queueTable(look, choosePaint(shell.isTerminal, shell.env), columns);
  if (!watch) return table;
  const block = `${new Date().toISOString()}\n${table}`;
  if (shell.isTerminal) return inPlace(block, rows);
  return isFurther ? `\n${block}` : block;
}
