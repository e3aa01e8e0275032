import { setTimeout as pause } from 'node:timers/promises';
import { type Projection, type Store, TRACKER_LOCK } from '@warren/store';
import { RebuildWatch } from '../domain/rebuild-watch.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import type { AdminShell } from '../shell.ts';

const LOOK_EVERY_MS = 50;

/** `warren store rebuild`. @throws StoreUnavailableError */
export async function rebuildStore(admin: Admin): Promise<ExitCode> {
  const { shell, topology } = admin;
  return withStore(admin, async ({ projection, ...store }): Promise<ExitCode> => {
    const until = await projection.offset(topology.names.history);
    const isTracked = await hasTracker(store);
    await projection.clear();
    if (until === undefined || !isTracked) {
      shell.out(`The store is cleared. ${untracked(isTracked)}\n`);
      return 0;
    }
    return watchRebuild(admin, projection, until);
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
): Promise<ExitCode> {
  const startedMs = performance.now();
  const watch = new RebuildWatch(until, startedMs);
  while (!shell.signal.aborted) {
    const offset = (await projection.offset(topology.names.history)) ?? -1;
    const news = watch.see(offset, performance.now());
    if (news === 'stalled') return fail(shell, 'the tracker does not go on; its log says why');
    if (news === 'on its way') shell.err(`read message ${Math.max(offset, 0)} of ${until}\n`);
    if (news === 'done') {
      const seconds = (performance.now() - startedMs) / 1_000;
      shell.out(`${summary(await projection.countRows(), seconds)}\n`);
      return 0;
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: shell.signal }).catch(() => {});
  }
  return fail(shell, 'not waiting any more; the tracker goes on');
}

function fail(shell: AdminShell, problem: string): ExitCode {
  shell.err(`warren: ${problem}\n`);
  return 1;
}

function summary(rows: number, seconds: number): string {
  return `Rebuilt: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s.`;
}
