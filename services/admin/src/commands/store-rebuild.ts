import { setTimeout as pause } from 'node:timers/promises';
import { type Projection, type Store, TRACKER_LOCK } from '@warren/store';
import { RebuildWatch } from '../domain/rebuild-watch.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import type { AdminShell } from '../shell.ts';
import { type ResultOptions, showResult } from './show-result.ts';

const LOOK_EVERY_MS = 50;
/** What every result begins with; rows are not known before it is filled again. */
const CLEARED = { cleared: true, isTracked: true, rows: null, seconds: null, problem: null };

/** `warren store rebuild`. @throws StoreUnavailableError */
export async function rebuildStore(admin: Admin, options: ResultOptions): Promise<ExitCode> {
  const { shell, topology } = admin;
  return withStore(admin, async ({ projection, ...store }): Promise<ExitCode> => {
    const until = await projection.offset(topology.names.history);
    const isTracked = await hasTracker(store);
    await projection.clear();
    if (until === undefined || !isTracked) {
      const sentence = `The store is cleared. ${untracked(isTracked)}`;
      showResult(shell, options, { ...CLEARED, isTracked }, sentence);
      return 0;
    }
    return watchRebuild(admin, projection, until, options);
  });
}

async function hasTracker({ tryLock }: Pick<Store, 'tryLock'>): Promise<boolean> {
  const lock = await tryLock(TRACKER_LOCK);
  await lock?.release();
  return lock === undefined;
}

function untracked(isTracked: boolean): string {
  return isTracked
    ? 'A tracker fills it, as far as the history reaches.'
    : 'No tracker is running: the next one that starts fills it again, as far as the history reaches.';
}

/** Waits until the tracker is where it was before. */
async function watchRebuild(
  { shell, topology }: Admin,
  projection: Projection,
  until: number,
  options: ResultOptions,
): Promise<ExitCode> {
  const startedMs = performance.now();
  const watch = new RebuildWatch(until, startedMs);
  while (!shell.signal.aborted) {
    const offset = (await projection.offset(topology.names.history)) ?? -1;
    const news = watch.see(offset, performance.now());
    if (news === 'stalled')
      return fail(shell, options, 'the tracker does not go on; its log says why');
    if (news === 'on its way') shell.err(`read message ${Math.max(offset, 0)} of ${until}\n`);
    if (news === 'done') {
      const seconds = (performance.now() - startedMs) / 1_000;
      const rows = await projection.countRows();
      const result = { ...CLEARED, rows, seconds };
      showResult(shell, options, result, summary(rows, seconds));
      return 0;
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: shell.signal }).catch(() => {});
  }
  return fail(shell, options, 'not waiting any more; the tracker goes on');
}

function fail(shell: AdminShell, options: ResultOptions, problem: string): ExitCode {
  if (options.json) showResult(shell, options, { ...CLEARED, problem }, '');
  shell.err(`warren: ${problem}\n`);
  return 1;
}

function summary(rows: number, seconds: number): string {
  return `Rebuilt: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s.`;
}
