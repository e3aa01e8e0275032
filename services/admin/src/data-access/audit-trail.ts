import type { LetterRuns, Store } from '@warren/store';
import { actor } from '../domain/who.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { visible } from '../text/visible.ts';
import { FileLedger } from './file-ledger.ts';

/** The ledger, in the database or in files. */
export type RunLedger = Omit<LetterRuns, 'askToStop'> & {
  /** Of a run's file; absent in the database. */
  pathOf?(id: string): string;
};

/** Writes down what is done on purpose. */
export interface AuditTrail {
  /** Is anything written down? */
  readonly isKept: boolean;
  /** Where runs over dead letters are remembered. */
  readonly runs: RunLedger;
  write(action: string, details: Record<string, unknown>): Promise<void>;
}

/**
 * Does something with an audit trail: where there is a database, each row stands before what it tells of is done. Replays
 * are done all the same while the database is away (`isRequired` false), with a word about it.
 * @throws StoreUnavailableError when it is required
 */
export async function withAudit<T>(
  admin: Admin,
  isRequired: boolean,
  action: (audit: AuditTrail) => Promise<T>,
): Promise<T> {
  // The embedded store belongs to the one process that has it open.
  const { DATABASE_URL, WARREN_DATA_DIR } = admin.config;
  if (DATABASE_URL === undefined) {
    const runs = new FileLedger(WARREN_DATA_DIR);
    return action({ isKept: false, runs, write: () => Promise.resolve() });
  }
  return withStore(admin, (store) => action(trail(admin, store, isRequired)));
}

function trail(
  { shell }: Admin,
  { audit, letterRuns: runs }: Store,
  isRequired: boolean,
): AuditTrail {
  return {
    isKept: true,
    runs,
    async write(name, details) {
      try {
        await audit.write({ actor: actor(), action: name, details });
      } catch (error) {
        if (isRequired) throw error;
        shell.err(`warren: not written to the audit: ${visible((error as Error).message)}\n`);
      }
    },
  };
}
