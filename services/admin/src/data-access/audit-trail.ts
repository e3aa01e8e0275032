import type { Audit } from '@warren/store';
import { actor } from '../domain/who.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { visible } from '../text/visible.ts';

/** Writes down what is done on purpose. */
export interface AuditTrail {
  /** Is anything written down? */
  readonly isKept: boolean;
  write(action: string, details: Record<string, unknown>): Promise<void>;
}

const NOTHING: AuditTrail = { isKept: false, write: () => Promise.resolve() };

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
  if (admin.config.DATABASE_URL === undefined) return action(NOTHING);
  return withStore(admin, ({ audit }) => action(trail(admin, audit, isRequired)));
}

function trail({ shell }: Admin, audit: Audit, isRequired: boolean): AuditTrail {
  return {
    isKept: true,
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
