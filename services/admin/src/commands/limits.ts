import { type LimitReading, limiting, mergeLimits } from '@warren/client';
import { LimitMissingError, type LimitRate } from '@warren/contracts';
import type { LimitUse } from '@warren/store';
import { changeControl, readControl, withStreams } from '../data-access/control.ts';
import { watchWorkers } from '../data-access/watch-workers.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { rateText, usedText } from '../text/limit-text.ts';
import { tableText } from '../text/table.ts';
import { visible, visibleJson } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';

/** `warren limits list`: every limit, what is valid, who says so, and what is used of it. */
export async function listLimits(
  admin: Admin,
  { json = false }: { readonly json?: boolean | undefined },
): Promise<ExitCode> {
  const { shell } = admin;
  const limits = await readLimits(admin);
  if (json) {
    shell.out(`${visibleJson({ limits }, 2)}\n`);
    return 0;
  }
  if (limits.length === 0) shell.err('warren: nobody knows of a limit\n');
  const rows = limits.map(({ name, rule, source = '', scope = '', by = '', queues, use }) =>
    [name, rule ? rateText(rule) : '', source, scope, by, queues.join(' '), usedText(use)].map(
      visible,
    ),
  );
  shell.out(tableText(['limit', 'rate', 'said by', 'scope', 'by', 'of', 'used'], rows));
  return 0;
}

/** `warren limits set` and `reset`. @throws LimitMissingError */
export async function setLimit(
  admin: Admin,
  limit: string,
  rate: LimitRate | undefined,
  options: ResultOptions & { readonly reason?: string | undefined },
): Promise<ExitCode> {
  const edit = limiting(limit, rate);
  const known = await readLimits(admin);
  // A name that is mistyped would be kept, and do nothing.
  if (!known.some(({ name }) => name === limit)) throw new LimitMissingError(limit);
  const details = { limit, ...(rate ?? { reset: true }), reason: options.reason };
  await changeControl(admin, edit, { action: 'limit.set', details });
  const what = rate ? `${rateText(rate)}, for all keys` : 'as code and environment say';
  const result = { limit, rule: rate ?? null };
  showResult(admin.shell, options, result, `${visible(limit)}: ${what}`);
  return 0;
}

async function readLimits(admin: Admin): Promise<readonly LimitReading<LimitUse>[]> {
  const [uses, { told, control }] = await Promise.all([
    readUses(admin),
    withStreams(admin, async (broker, names) => ({
      told: await watchWorkers(admin, { broker, names }, (watch) => watch.limits()),
      control: await readControl(broker, names),
    })),
  ]);
  return mergeLimits({ told, control, uses, jobTypes: admin.shell.jobs });
}

/** None without a store, which the list can do without. */
async function readUses(admin: Admin): Promise<readonly LimitUse[]> {
  if (admin.config.DATABASE_URL === undefined) return [];
  try {
    return await withStore(admin, (store) => store.limits.uses());
  } catch {
    admin.shell.err('warren: the store cannot be reached; what is used is not known\n');
    return [];
  }
}
