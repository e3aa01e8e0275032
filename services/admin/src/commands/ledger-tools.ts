import { newJobId } from '@warren/contracts';
import {
  type LedgerOptions,
  type RunSettings,
  readRunSettings,
  readStoredSelection,
  type Selection,
} from '@warren/dead-letter';
import type { LetterRunKind, LetterRunRecord } from '@warren/store';
import { withAudit } from '../data-access/audit-trail.ts';
import { actor } from '../domain/who.ts';
import { UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import type { LetterTools } from './with-letters.ts';

/** A run as it is begun, or as the ledger has it. */
export interface PlannedRun {
  readonly kind: LetterRunKind;
  readonly reason?: string | undefined;
  readonly selection: Selection;
  readonly settings: RunSettings;
  /** It is resumed. */
  readonly record?: LetterRunRecord | undefined;
}

/**
 * Finds what is to be resumed.
 * @throws UsageError for one that is not in the ledger, of another kind, or done; StoreUnavailableError
 */
export async function findRun(
  admin: Admin,
  id: string,
  kind: LetterRunKind,
): Promise<LetterRunRecord> {
  return withAudit(admin, true, async ({ runs }) => {
    const record = await runs.find(id);
    if (!record) throw new UsageError(`--resume: ${visible(id)} is not in the ledger`);
    if (record.kind !== kind) {
      throw new UsageError(`--resume: ${visible(id)} is a ${record.kind}: use dead ${record.kind}`);
    }
    if (record.state === 'ended') {
      throw new UsageError(`--resume: ${visible(id)} came to its end: nothing of it is left to do`);
    }
    return record;
  });
}

/** What is resumed, with what is given anew. @throws Error when it was chosen by a later version */
export function resumed(record: LetterRunRecord, settings: RunSettings): PlannedRun {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    kind: record.kind,
    reason: record.reason,
    selection: record.isFixed ? {} : readStoredSelection(record.selection),
    settings: { ...readRunSettings(record.settings), ...Object.fromEntries(given) },
    record,
  };
}

/** How the ledger is told of a run. With `isRequired`, nothing is done without it where there is a database. */
export function ledgerOf(
  { shell }: Pick<Admin, 'shell'>,
  { audit, source: { queue } }: LetterTools,
  { record, ...planned }: PlannedRun,
  isRequired: boolean,
): LedgerOptions {
  const { runs, isKept } = audit;
  const id = record?.id ?? newJobId();
  const begin = () =>
    record ? runs.resume(id) : runs.begin({ ...planned, id, queue, actor: actor() });
  const { isFixed, isCanaryPassed } = record ?? {};
  return {
    store: runs,
    id,
    isFixed,
    isCanaryPassed,
    async begin() {
      try {
        await begin();
        const place = runs.pathOf?.(id) ?? 'the database';
        if (shell.isTerminal) shell.err(`warren: ${planned.kind} ${id}, ledger in ${place}\n`);
        return true;
      } catch (error) {
        if ((isRequired && isKept) || record) throw error;
        shell.err(`warren: not in the ledger: ${visible((error as Error).message)}\n`);
        return false;
      }
    },
  };
}
