import { type DiscardReport, discard, planReplay, type Selection } from '@warren/dead-letter';
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
import { replayOptions } from './dead-replay.ts';
import { takeExitCode } from './take-exit-code.ts';
import { type LetterTools, withLetters } from './with-letters.ts';

export interface DiscardCommandOptions extends SelectionOptions {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly reason: string;
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `warren dead discard`. @throws UsageError; LockHeldError naming who takes from the same queue */
export async function discardDead(
  admin: Admin,
  name: string,
  options: DiscardCommandOptions,
): Promise<ExitCode> {
  const { shell } = admin;
  const selection = readSelection(options, Date.now());
  checkUse(admin, options);
  return withLetters(admin, name, !options.dryRun, async (tools) => {
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
    const report = await audited(admin, tools, options, selection, count);
    show(admin, report, options.json);
    return takeExitCode(report);
  });
}

function checkUse({ shell }: Admin, options: DiscardCommandOptions): void {
  if (options.reason.trim() === '') throw new UsageError('--reason: say why');
  const isChosen = Object.keys(selectionDetails(options)).length > 0 || options.limit !== undefined;
  if (isChosen === (options.all ?? false)) {
    throw new UsageError('discard needs to know which: --id, --fingerprint, … or --all, not both');
  }
  if (!options.yes && !options.dryRun && !shell.confirm) {
    throw new UsageError('discard asks first; where there is no terminal, it needs --yes');
  }
}

/** No more than was agreed to, and each row of the audit before what it tells of. */
async function audited(
  admin: Admin,
  tools: LetterTools,
  options: DiscardCommandOptions,
  selection: Selection,
  limit: number,
): Promise<DiscardReport> {
  const { audit, source } = tools;
  const { reason } = options;
  const what = { queue: source.queue, selection: selectionDetails(options), reason, limit };
  await audit.write('dead.discard', what);
  const report = await discard({ ...replayOptions(admin, tools), selection, limit });
  await audit.write('dead.discard.ended', { ...what, report });
  return report;
}

function show({ shell }: Admin, report: DiscardReport, json = false): void {
  const { dryRun, discarded: count, stopped } = report;
  const words = {
    done: dryRun ? 'Dry run: would discard' : 'Discarded',
    count,
    unknown: 'perhaps discarded, or still in the queue',
  };
  const paint = choosePaint(shell.isTerminal, shell.env);
  const data = { ...report, stopped: stopped ?? null };
  shell.out(json ? `${visibleJson(data, 2)}\n` : takeText(report, words, paint));
}
