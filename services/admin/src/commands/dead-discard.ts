import { type DiscardReport, discard, planReplay } from '@warren/dead-letter';
import {
  readSelection,
  type SelectionOptions,
  selectionDetails,
} from '../domain/read-selection.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { choosePaint } from '../text/paint.ts';
import { takeText } from '../text/take-text.ts';
import { visibleJson } from '../text/visible.ts';
import { checkResume, replayOptions } from './dead-replay.ts';
import { findRun, ledgerOf, type PlannedRun, resumed } from './ledger-tools.ts';
import { takeExitCode } from './take-exit-code.ts';
import { type LetterTools, withLetters } from './with-letters.ts';
import { withProgress } from './with-progress.ts';

export interface DiscardCommandOptions extends SelectionOptions {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly reason?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const WORDS = { choosing: 'Choosing', taking: 'Discarding' };

/** `warren dead discard`. @throws UsageError; LockHeldError naming who takes from the same queue */
export async function discardDead(
  admin: Admin,
  name: string | undefined,
  options: DiscardCommandOptions,
): Promise<ExitCode> {
  if (options.resume !== undefined) return resumeDiscard(admin, name, options.resume, options);
  const { shell } = admin;
  const selection = readSelection(options, Date.now());
  checkUse(admin, name, options);
  return withLetters(admin, String(name), !options.dryRun, async (tools) => {
    const plan = await planReplay({
      ...replayOptions(admin, tools),
      selection,
      limit: options.limit,
    });
    const count = plan.selected - plan.missing;
    const { queue } = tools.source;
    if (options.dryRun) {
      show(admin, { ...plan, left: 0, leftExamples: [], discarded: count }, options.json);
      return 0;
    }
    const question = `Discard ${count} of ${plan.depth} dead letters in ${queue} for good?`;
    if (count > 0 && !options.yes && !(await shell.confirm?.(question))) {
      shell.err('warren: nothing was discarded\n');
      return 1;
    }
    const settings = { limit: count };
    const { reason } = options;
    return runDiscard(admin, tools, { kind: 'discard', reason, selection, settings }, options);
  });
}

function checkUse(
  { shell }: Admin,
  name: string | undefined,
  options: DiscardCommandOptions,
): void {
  if (name === undefined) throw new UsageError('discard needs a job type or queue, or --resume');
  if (!options.reason?.trim()) throw new UsageError('--reason: say why');
  const isChosen = Object.keys(selectionDetails(options)).length > 0 || options.limit !== undefined;
  if (isChosen === (options.all ?? false)) {
    throw new UsageError('discard needs to know which: --id, --fingerprint, … or --all, not both');
  }
  if (!options.yes && !options.dryRun && !shell.confirm) {
    throw new UsageError('discard asks first; where there is no terminal, it needs --yes');
  }
}

/** Goes on with one that was cut off, which was agreed to then. */
async function resumeDiscard(
  admin: Admin,
  name: string | undefined,
  id: string,
  options: DiscardCommandOptions,
): Promise<ExitCode> {
  checkResume(name, options.all ? { ...options, limit: 'all' } : options);
  const plan = resumed(await findRun(admin, id, 'discard'), {});
  const queue = String(plan.record?.queue);
  return withLetters(admin, queue, true, (tools) => runDiscard(admin, tools, plan, options));
}

/** No more than was agreed to, and each row of the audit before what it tells of. */
async function runDiscard(
  admin: Admin,
  tools: LetterTools,
  plan: PlannedRun,
  options: DiscardCommandOptions,
): Promise<ExitCode> {
  const { audit, source } = tools;
  const { selection, settings, record } = plan;
  const { limit } = settings;
  const ledger = ledgerOf(admin, tools, plan, true);
  const run = { run: ledger.id, queue: source.queue, reason: options.reason ?? plan.reason };
  const chosenBy = record ? { resumed: true } : { selection: selectionDetails(options) };
  const what = { ...run, ...chosenBy, limit };
  await audit.write('dead.discard', what);
  const given = { ...replayOptions(admin, tools), selection, limit, ledger };
  const report = await withProgress(admin.shell, WORDS, (onProgress) =>
    discard({ ...given, onProgress }),
  );
  show(admin, report, options.json, ledger.id);
  await audit.write('dead.discard.ended', { ...what, report });
  return takeExitCode(report);
}

function show(
  { shell }: Admin,
  report: DiscardReport,
  json = false,
  ledger?: string | undefined,
): void {
  const { dryRun, discarded: count, stopped } = report;
  const words = {
    done: dryRun ? 'Dry run: would discard' : 'Discarded',
    count,
    unknown: 'perhaps discarded, or still in the queue',
    goOn: ledger && `Go on with: warren dead discard --resume ${ledger}`,
  };
  const paint = choosePaint(shell.isTerminal, shell.env);
  const data = { ...report, stopped: stopped ?? null, ledger: ledger ?? null };
  shell.out(json ? `${visibleJson(data, 2)}\n` : takeText(report, words, paint));
}
