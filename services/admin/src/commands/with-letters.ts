import type { BrokerSession } from '@warren/broker';
import type { FoundSource } from '@warren/dead-letter';
import type { HistoryWriter } from '@warren/history';
import { type AuditTrail, withAudit } from '../data-access/audit-trail.ts';
import { withHistory } from '../data-access/session-history.ts';
import { findSource } from '../domain/find-source.ts';
import { type Admin, withSession } from '../open-session.ts';
import { requireSource } from './dead-list.ts';

/** What dealing with dead letters needs. */
export interface LetterTools {
  readonly session: BrokerSession;
  readonly source: FoundSource;
  /** Undefined where there is none. */
  readonly history: HistoryWriter | undefined;
  readonly audit: AuditTrail;
}

/**
 * Finds the queue, connects, and does something with its dead letters.
 * @throws UsageError, QueueMissingError, BrokerUnavailableError, StoreUnavailableError where the audit is required
 */
export async function withLetters<T>(
  admin: Admin,
  name: string,
  isAuditRequired: boolean,
  action: (tools: LetterTools) => Promise<T>,
): Promise<T> {
  const source = findSource(name, admin.topology);
  return withAudit(admin, isAuditRequired, (audit) =>
    withSession(admin, async (session) => {
      await requireSource(session, source, admin, name);
      return withHistory(admin, session, (history) => action({ session, source, history, audit }));
    }),
  );
}
