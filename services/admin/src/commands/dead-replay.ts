import {
  type Canary,
  type CircuitHold,
  heldByText,
  MAX_REPLAYS,
  planReplay,
  type ReplayOptions,
  type ReplayReport,
  type ReplayTarget,
  type RunSettings,
  replay,
} from '@warren/dead-letter';
import { canaryOutcome } from '../data-access/canary-outcome.ts';
import { findTarget } from '../domain/find-target.ts';
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
import { visible, visibleJson } from '../text/visible.ts';
import { findRun, ledgerOf, type PlannedRun, resumed } from './ledger-tools.ts';
import { type AskedEdit, editing, parsePatch } from './letter-edit.ts';
import { takeExitCode } from './take-exit-code.ts';
import { tellOpenCircuits } from './tell-open-circuits.ts';
import { withCircuitHold } from './with-circuit-hold.ts';
import { type LetterTools, withLetters } from './with-letters.ts';
import { withProgress } from './with-progress.ts';

export interface ReplayCommandOptions extends SelectionOptions {
  readonly limit?: number | undefined;
  readonly rate?: number | undefined;
  readonly canary?: number | undefined;
  readonly canaryWait?: number | undefined;
  readonly maxReplays?: number | undefined;
  readonly to?: string | undefined;
  /** JSON merge patch. */
  readonly edit?: string | undefined;
  readonly force?: boolean | undefined;
  readonly ignoreBreakers?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const CANARY_WAIT_SECONDS = 120;
const WORDS = { choosing: 'Choosing', taking: 'Replaying' };

/** `warren dead replay`. @throws UsageError; LockHeldError naming who replays the same queue */
export async function replayDead(
  admin: Admin,
  name: string | undefined,
  options: ReplayCommandOptions,
): Promise<ExitCode> {
  checkUse(name, options);
  if (options.resume !== undefined) return resumeReplay(admin, options.resume, options);
  const selection = readSelection(options, Date.now());
  const to = targetOf(admin, options.to);
  const isEdited = options.edit !== undefined || undefined;
  const settings = { maxReplays: MAX_REPLAYS, ...settingsOf(options), to: to?.queue, isEdited };
  const plan = { kind: 'replay', selection, settings } as const;
  const isAuditRequired = isEdited === true && !options.dryRun;
  return withLetters(admin, String(name), isAuditRequired, async (tools) => {
    const { limit } = options;
    if (options.dryRun) {
      if (tools.history) await tellOpenCircuits(admin);
      const { maxReplays } = plan.settings;
      const rewrite = rewriteOf(admin, tools, options, { to, isDryRun: true });
      const given = { selection, limit, maxReplays, to, rewrite };
      const report = await planReplay({ ...replayOptions(admin, tools), ...given });
      return showEnd(admin, report, options);
    }
    return runReplay(admin, tools, { ...plan, reason: options.reason }, options);
  });
}

/** Goes on with one that was cut off: with what it chose then, and without what is done. */
async function resumeReplay(
  admin: Admin,
  id: string,
  options: ReplayCommandOptions,
): Promise<ExitCode> {
  const record = await findRun(admin, id, 'replay');
  const plan = resumed(record, settingsOf(options));
  const { isEdited = false } = plan.settings;
  if (isEdited !== (options.edit !== undefined)) {
    throw new UsageError(
      isEdited
        ? '--resume: it was begun with --edit, which the ledger does not keep: say it again'
        : '--edit: it was begun without, and cannot be resumed with it',
    );
  }
  return withLetters(admin, record.queue, true, (tools) => runReplay(admin, tools, plan, options));
}

async function runReplay(
  admin: Admin,
  tools: LetterTools,
  plan: PlannedRun,
  options: ReplayCommandOptions,
): Promise<ExitCode> {
  const { selection, settings, record } = plan;
  const { limit, ratePerSecond, canary, maxReplays } = settings;
  const to = targetOf(admin, settings.to);
  const ledger = ledgerOf(admin, tools, plan, false);
  const { audit, source } = tools;
  const begun = { run: ledger.id, queue: source.queue, reason: options.reason ?? plan.reason };
  const chosenBy = record ? { resumed: true } : { selection: selectionDetails(options) };
  const what = { ...begun, ...chosenBy };
  const { isEdited, ignoreBreakers } = settings;
  const how = { limit, rate: ratePerSecond, canary, to: to?.queue, isEdited, ignoreBreakers };
  await audit.write('dead.replay', { ...what, ...how });
  const { reason, run: id } = begun;
  const rewrite = rewriteOf(admin, tools, { ...options, reason }, { to, run: id });
  const given = { selection, limit, ratePerSecond, maxReplays, ledger, to, rewrite };
  const run = (hold: CircuitHold | undefined) =>
    withProgress(admin.shell, WORDS, (onProgress, say) =>
      replay({
        ...replayOptions(admin, tools),
        ...given,
        onProgress,
        hold,
        onWaiting: (heldBy) => say(heldBy ? `waiting: ${visible(heldByText(heldBy))}` : 'going on'),
        canary: canary === undefined ? undefined : canaryOf(admin, tools, canary, settings, to),
      }),
    );
  const isHeeding = tools.history && !settings.ignoreBreakers;
  const report = await (isHeeding ? withCircuitHold(admin, run) : run(undefined));
  const exitCode = showEnd(admin, report, options, ledger.id);
  await audit.write('dead.replay.ended', { ...what, report });
  return exitCode;
}

function rewriteOf(
  admin: Admin,
  tools: LetterTools,
  { edit, reason }: ReplayCommandOptions,
  more: Pick<AskedEdit, 'to' | 'run' | 'isDryRun'>,
): ReplayOptions['rewrite'] {
  if (edit === undefined) return undefined;
  return editing(admin, tools, { patch: parsePatch('--edit', edit), reason, ...more });
}

function checkUse(name: string | undefined, options: ReplayCommandOptions): void {
  const { canary, canaryWait, resume, edit } = options;
  if (edit !== undefined) parsePatch('--edit', edit);
  if (canaryWait !== undefined && canary === undefined && resume === undefined) {
    throw new UsageError('--canary-wait says nothing without --canary');
  }
  if (resume === undefined) {
    if (name === undefined) throw new UsageError('replay needs a job type or queue, or --resume');
    return;
  }
  checkResume(name, options);
}

/** @throws UsageError when it is said again what is fixed already */
export function checkResume(
  name: string | undefined,
  options: SelectionOptions & Readonly<Partial<Record<'limit' | 'to' | 'dryRun', unknown>>>,
): void {
  const { limit, to, dryRun } = options;
  const isChosen = Object.keys(selectionDetails(options)).length > 0;
  if (name !== undefined || isChosen || limit !== undefined || to !== undefined || dryRun) {
    throw new UsageError(
      '--resume goes on with what was chosen then: it takes no name, no selection, no --limit, no --to and no --dry-run',
    );
  }
}

function settingsOf(options: ReplayCommandOptions): RunSettings {
  const { limit, rate: ratePerSecond, canary, canaryWait: canaryWaitSeconds } = options;
  // A bound that nothing reaches, so that it also takes the place of one that is kept.
  const maxReplays = options.force ? Number.MAX_SAFE_INTEGER : options.maxReplays;
  return {
    limit,
    ratePerSecond,
    canary,
    canaryWaitSeconds,
    ...(options.ignoreBreakers && { ignoreBreakers: true }),
    ...(maxReplays !== undefined && { maxReplays }),
  };
}

function targetOf({ topology, shell }: Admin, name: string | undefined): ReplayTarget | undefined {
  return name === undefined ? undefined : findTarget(name, topology, shell.jobs);
}

/** What every replay of this command has in common. */
export function replayOptions(
  { topology, shell: { signal } }: Admin,
  { session, source, history }: LetterTools,
): ReplayOptions {
  return { session, topology, source, history, signal, holder: whoAmI(), by: actor() };
}

function showEnd(
  admin: Admin,
  report: ReplayReport,
  { json = false }: ReplayCommandOptions,
  ledger?: string,
): ExitCode {
  showReplay(admin, report, json, ledger);
  return takeExitCode(report, report.cameBack);
}

/** JSON has no undefined, and whoever reads it should find the field. */
export function showReplay(
  { shell }: Admin,
  report: ReplayReport,
  json: boolean,
  ledger?: string,
): void {
  const paint = choosePaint(shell.isTerminal, shell.env);
  const data = { ...report, stopped: report.stopped ?? null, ledger: ledger ?? null };
  const goOn = ledger && `Go on with: warren dead replay --resume ${ledger}`;
  shell.out(json ? `${visibleJson(data, 2)}\n` : replayText(report, paint, goOn));
}

function canaryOf(
  admin: Admin,
  { session, source, history }: LetterTools,
  count: number,
  { canaryWaitSeconds = CANARY_WAIT_SECONDS }: RunSettings,
  to: ReplayTarget | undefined,
): Canary {
  const waitMs = canaryWaitSeconds * 1_000;
  const parts = { session, source: to?.dead ?? source, hasHistory: history !== undefined, waitMs };
  return { count, outcome: canaryOutcome(admin, parts) };
}
