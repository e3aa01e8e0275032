import {
  type Canary,
  planReplay,
  type ReplayOptions,
  type ReplayReport,
  replay,
} from '@warren/dead-letter';
import { canaryOutcome } from '../data-access/canary-outcome.ts';
import {
  readSelection,
  type SelectionOptions,
  selectionDetails,
} from '../domain/read-selection.ts';
import { actor, whoAmI } from '../domain/who.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { choosePaint } from '../text/paint.ts';
import { replayText } from '../text/replay-text.ts';
import { visibleJson } from '../text/visible.ts';
import { takeExitCode } from './take-exit-code.ts';
import { type LetterTools, withLetters } from './with-letters.ts';

export interface ReplayCommandOptions extends SelectionOptions {
  readonly limit?: number | undefined;
  readonly rate?: number | undefined;
  readonly canary?: number | undefined;
  readonly canaryWait?: number | undefined;
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const CANARY_WAIT_SECONDS = 120;

/** `warren dead replay`. @throws UsageError; LockHeldError naming who replays the same queue */
export async function replayDead(
  admin: Admin,
  name: string,
  options: ReplayCommandOptions,
): Promise<ExitCode> {
  if (options.canaryWait !== undefined && options.canary === undefined) {
    throw new UsageError('--canary-wait says nothing without --canary');
  }
  const selection = readSelection(options, Date.now());
  const report = await withLetters(admin, name, false, (tools) => {
    const given = { ...replayOptions(admin, tools), selection, limit: options.limit };
    if (options.dryRun) return planReplay(given);
    const canary = options.canary === undefined ? undefined : canaryOf(admin, tools, options);
    return audited(tools, options, () => replay({ ...given, ratePerSecond: options.rate, canary }));
  });
  showReplay(admin, report, options.json ?? false);
  return takeExitCode(report, report.cameBack);
}

/** What every replay of this command has in common. */
export function replayOptions(
  { topology, shell: { signal } }: Admin,
  { session, source, history }: LetterTools,
): ReplayOptions {
  return { session, topology, source, history, signal, holder: whoAmI(), by: actor() };
}

/** JSON has no undefined, and whoever reads it should find the field. */
export function showReplay({ shell }: Admin, report: ReplayReport, json: boolean): void {
  const paint = choosePaint(shell.isTerminal, shell.env);
  const data = { ...report, stopped: report.stopped ?? null };
  shell.out(json ? `${visibleJson(data, 2)}\n` : replayText(report, paint));
}

async function audited(
  { audit, source }: LetterTools,
  options: ReplayCommandOptions,
  action: () => Promise<ReplayReport>,
): Promise<ReplayReport> {
  const { limit, rate, canary, reason } = options;
  const what = { queue: source.queue, selection: selectionDetails(options), reason };
  await audit.write('dead.replay', { ...what, limit, rate, canary });
  const report = await action();
  await audit.write('dead.replay.ended', { ...what, report });
  return report;
}

function canaryOf(
  admin: Admin,
  { session, source, history }: LetterTools,
  { canary = 1, canaryWait = CANARY_WAIT_SECONDS }: ReplayCommandOptions,
): Canary {
  const parts = { session, source, hasHistory: history !== undefined, waitMs: canaryWait * 1_000 };
  return { count: canary, outcome: canaryOutcome(admin, parts) };
}
