import { holding, mergeCircuits } from '@warren/client';
import { changeControl, readControl, withStreams } from '../data-access/control.ts';
import { watchWorkers } from '../data-access/watch-workers.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { tableText } from '../text/table.ts';
import { timeText } from '../text/time-text.ts';
import { visible, visibleJson } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';

/** `warren breakers list`: where the circuits of all workers stand. */
export async function listBreakers(
  admin: Admin,
  { json = false }: { readonly json?: boolean | undefined },
): Promise<ExitCode> {
  const { shell } = admin;
  const circuits = await withStreams(admin, async (broker, names) => {
    const [told, current] = await Promise.all([
      watchWorkers(admin, { broker, names }, (watch) => watch.circuits()),
      readControl(broker, names),
    ]);
    return mergeCircuits(told, current);
  });
  if (json) {
    shell.out(`${visibleJson({ breakers: circuits }, 2)}\n`);
    return 0;
  }
  if (circuits.length === 0) shell.err('warren: no worker tells of a circuit breaker\n');
  const rows = circuits.map(({ breaker, key = '', state, override = '', sinceMs, workers }) =>
    [breaker, key, state, override, timeText(sinceMs), String(workers.length)].map(visible),
  );
  shell.out(tableText(['breaker', 'key', 'state', 'held', 'since', 'workers'], rows));
  return 0;
}

export interface HoldOptions extends ResultOptions {
  readonly reason?: string | undefined;
}

/** `warren breakers open`, `close` and `reset`. */
export async function holdBreaker(
  admin: Admin,
  breaker: string,
  state: 'open' | 'closed' | undefined,
  options: HoldOptions,
): Promise<ExitCode> {
  const result = { breaker, state: state ?? 'auto' };
  const details = { ...result, reason: options.reason };
  await changeControl(admin, holding(breaker, state), { action: 'breaker.set', details });
  const what = state === undefined ? 'follows what its calls tell' : `is held ${state}`;
  showResult(admin.shell, options, result, `${visible(breaker)} ${what}`);
  return 0;
}
