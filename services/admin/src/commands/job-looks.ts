import { setTimeout as pause } from 'node:timers/promises';
import type { JobState } from '@warren/history';
import type { JobRecord, LogRecord } from '@warren/store';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { jobPage, jobTable } from '../text/job-text.ts';
import { logLine } from '../text/log-line.ts';
import { choosePaint } from '../text/paint.ts';
import { visibleJson } from '../text/visible.ts';
import { ENDED, type OneJobOptions, withJob } from './with-job.ts';

export interface ListJobsOptions {
  readonly type?: string | undefined;
  readonly state?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly json?: boolean | undefined;
}

const FOLLOW_EVERY_MS = 500;
const PAGE = 500;

/** `warren jobs list`. @throws StoreUnavailableError, CursorInvalidError */
export async function listJobs(admin: Admin, options: ListJobsOptions): Promise<ExitCode> {
  const { shell } = admin;
  const { state, json, ...filter } = options;
  const page = await withStore(admin, ({ jobs }) =>
    jobs.list({ ...filter, states: state as JobState[] | undefined }),
  );
  const items = page.items.map((job) => withoutResult(job));
  shell.out(
    json
      ? `${visibleJson({ jobs: items, cursor: page.cursor ?? null }, 2)}\n`
      : jobTable(items, choosePaint(shell.isTerminal, shell.env)),
  );
  if (!json && page.cursor !== undefined) shell.err(`more: --cursor ${page.cursor}\n`);
  return 0;
}

/** `warren jobs show`. */
export async function showJob(admin: Admin, id: string, options: OneJobOptions): Promise<ExitCode> {
  const { shell } = admin;
  return withJob(admin, id, options, async (job, { jobs }) => {
    const attempts = await jobs.attempts(job.queue, job.id);
    const shown = options.showPii ? job : withoutResult(job);
    const paint = choosePaint(shell.isTerminal, shell.env);
    shell.out(
      options.json
        ? `${visibleJson({ ...shown, attempts }, 2)}\n`
        : jobPage(shown, attempts, paint),
    );
    return 0;
  });
}

/** `warren jobs logs`; with `follow` until the job has ended, or Ctrl-C. */
export async function showLogs(
  admin: Admin,
  id: string,
  { json = false, follow = false, ...options }: OneJobOptions,
): Promise<ExitCode> {
  const { shell } = admin;
  return withJob(admin, id, options, async ({ queue }, { jobs }) => {
    let cursor: string | undefined;
    let hasEnded = !follow;
    for (;;) {
      const page = await jobs.log(queue, id, { limit: PAGE, cursor });
      if (cursor === undefined && page.missing > 0) {
        shell.err(`${page.missing} earlier lines are not kept\n`);
      }
      for (const one of page.items) shell.out(json ? `${visibleJson(one)}\n` : lineOf(one, admin));
      cursor = page.position ?? cursor;
      if (page.cursor !== undefined) continue;
      if (hasEnded || shell.signal.aborted) return 0;
      await pause(FOLLOW_EVERY_MS, undefined, { signal: shell.signal }).catch(() => {});
      const job = (await jobs.find(id)).find((one) => one.queue === queue);
      // Once more after the end: its last lines may have come with it.
      hasEnded = !job || ENDED.includes(job.state);
    }
  });
}

function lineOf(record: LogRecord, { shell }: Admin): string {
  return `${logLine(record, choosePaint(shell.isTerminal, shell.env))}\n`;
}

/** Nobody knows what of it is personal. */
function withoutResult({ result, ...job }: JobRecord): JobRecord {
  return result === undefined ? job : { ...job, resultProblem: 'hidden; see --show-pii' };
}
